/** The whole page: what is open, and how it is looked at. @module */
import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { FrameFacts } from "../worker/protocol.js";
import { DataTab } from "./data/data-tab.js";
import { FileTree } from "./file-tree.js";
import { FrameHeading } from "./frame-heading.js";
import { OpenBar } from "./open-bar.js";
import { entriesOfDrop, entriesOfFiles, entryOfUrl, isServed, type SourceEntry, servedEntries } from "./sources.js";
import { ChunksTab } from "./tabs/chunks-tab.js";
import { InfoTab } from "./tabs/info-tab.js";
import { StatsTab } from "./tabs/stats-tab.js";
import { fitState, queryOf, START, stateFromQuery, TABS, type TabName, type ViewState } from "./view-state.js";
import { WelcomePanel } from "./welcome-panel.js";
import { ask } from "./worker-client.js";

const TAB_LABELS: Readonly<Record<TabName, string>> = {
  data: "Data",
  info: "Info",
  chunks: "Chunks",
  stats: "Statistics",
};

const ADDRESS_EVERY_MS = 250;

interface Opened {
  readonly entry: SourceEntry;
  readonly facts: FrameFacts | undefined;
  readonly error: Error | undefined;
}

/** See the module. */
export function App(): JSX.Element {
  const [state, setState] = useState<ViewState>(() => stateFromQuery(location.search));
  const [entries, setEntries] = useState<readonly SourceEntry[]>([]);
  const [opened, setOpened] = useState<Opened>();
  const [problem, setProblem] = useState<Error>();
  const [dragging, setDragging] = useState(false);
  const opening = useRef(0);
  const shown = useRef("");
  const written = useRef<ReturnType<typeof setTimeout>>();

  const change = useCallback((part: Partial<ViewState>): void => setState((old) => ({ ...old, ...part })), []);

  const open = useCallback(async (entry: SourceEntry, wanted: ViewState): Promise<void> => {
    const turn = ++opening.current;
    setProblem(undefined);
    setOpened({ entry, facts: undefined, error: undefined });
    try {
      const facts = await ask("open", entry.place);
      if (turn !== opening.current) {
        await ask("close", { frame: facts.frame });
        return;
      }
      setState(fitState({ ...wanted, path: entry.path }, facts));
      setOpened((old) => {
        if (old?.facts !== undefined) void ask("close", { frame: old.facts.frame });
        return { entry, facts, error: undefined };
      });
      document.title = `${facts.name} · b2frame viewer`;
    } catch (error) {
      if (turn === opening.current) setOpened({ entry, facts: undefined, error: error as Error });
    }
  }, []);

  const take = useCallback(
    (found: readonly SourceEntry[], wanted: ViewState): void => {
      setEntries(found);
      const entry = found.find(({ path }) => path === wanted.path) ?? found[0];
      if (entry === undefined) setProblem(new Error("nothing to open in there"));
      else void open(entry, entry.path === wanted.path || found.length === 1 ? wanted : { ...START, url: wanted.url });
    },
    [open],
  );

  const guarded = useCallback(async (work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      setProblem(error as Error);
    }
  }, []);

  useEffect(() => {
    void guarded(async () => {
      if (isServed) take(await servedEntries(), state);
      else if (state.url !== "") take([entryOfUrl(state.url)], state);
    });
  }, []);

  useEffect(() => {
    shown.current = location.pathname + queryOf(state);
    // Browsers refuse an address that changes with every picture.
    written.current ??= setTimeout(() => {
      written.current = undefined;
      history.replaceState(null, "", shown.current);
    }, ADDRESS_EVERY_MS);
  }, [state]);

  const { entry, facts, error } = opened ?? {};
  const view = { facts: facts as FrameFacts, state, change };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped anywhere; the buttons do the same
    <div
      class={`app${dragging ? " dragging" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        const { dataTransfer } = event;
        if (dataTransfer !== null) void guarded(async () => take(await entriesOfDrop(dataTransfer), START));
      }}
    >
      <OpenBar
        url={state.url}
        onFiles={(files) => take(entriesOfFiles(files), START)}
        onUrl={(url) => guarded(() => take([entryOfUrl(url)], { ...START, url }))}
      />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem.message}
        </p>
      )}
      {entry === undefined ? (
        <WelcomePanel />
      ) : (
        <div class="body">
          {entries.length > 1 && (
            <nav class="side" aria-label="Files">
              <FileTree
                entries={entries}
                selected={state.path}
                onSelect={(path) => {
                  const chosen = entries.find((each) => each.path === path);
                  if (chosen !== undefined) void open(chosen, { ...START, url: state.url, tab: state.tab });
                }}
              />
            </nav>
          )}
          <main class="main">
            <FrameHeading entry={entry} facts={facts} />
            {error !== undefined && (
              <div class="failure" role="alert">
                <h2>This file can't be shown</h2>
                <p class="message">{error.message}</p>
                <p class="hint">{"code" in error ? String(error.code) : error.name}</p>
              </div>
            )}
            {facts === undefined && error === undefined && <p class="busy">Reading the header…</p>}
            {facts !== undefined && (
              <>
                <TabList tab={state.tab} onTab={(tab) => change({ tab })} />
                <section
                  key={facts.frame}
                  class="panel"
                  role="tabpanel"
                  id="panel"
                  aria-labelledby={`tab-${state.tab}`}
                >
                  {state.tab === "data" && <DataTab {...view} address={entry.address} />}
                  {state.tab === "info" && <InfoTab facts={facts} />}
                  {state.tab === "chunks" && <ChunksTab {...view} />}
                  {state.tab === "stats" && <StatsTab facts={facts} part={state.part} />}
                </section>
              </>
            )}
          </main>
        </div>
      )}
    </div>
  );
}

function TabList({ tab, onTab }: { readonly tab: TabName; readonly onTab: (tab: TabName) => void }): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    const next = TABS[(TABS.indexOf(tab) + move + TABS.length) % TABS.length] as TabName;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {TABS.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === tab}
          aria-controls="panel"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {TAB_LABELS[name]}
        </button>
      ))}
    </div>
  );
}
