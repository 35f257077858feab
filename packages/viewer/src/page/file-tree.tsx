/** The tree of what can be opened. @module */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { bytesText } from "./format.js";
import type { SourceEntry } from "./sources.js";

interface Props {
  readonly entries: readonly SourceEntry[];
  readonly selected: string;
  readonly onSelect: (path: string) => void;
}

interface Row {
  readonly label: string;
  readonly level: number;
  readonly entry: SourceEntry | undefined;
}

/** Groups before what is in them. */
function rowsOf(entries: readonly SourceEntry[]): Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const words = entry.path.split("/").filter(Boolean);
    for (let i = 1; i < words.length; i++) {
      const group = words.slice(0, i).join("/");
      if (seen.has(group)) continue;
      seen.add(group);
      rows.push({ label: words[i - 1] as string, level: i, entry: undefined });
    }
    rows.push({ label: words.at(-1) ?? entry.path, level: Math.max(1, words.length), entry });
  }
  return rows;
}

/** See the module. Arrow keys, Home and End move; Enter and Space open. */
export function FileTree({ entries, selected, onSelect }: Props): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const rows = rowsOf(entries);
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = Array.from(list.current?.querySelectorAll<HTMLElement>("[role=treeitem][tabindex]") ?? []);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") items[at]?.click();
    else if (to !== undefined) items[Math.max(0, Math.min(items.length - 1, to))]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div class="tree" role="tree" aria-label="Files" ref={list} onKeyDown={onKeyDown}>
      {rows.map(({ label, level, entry }, i) =>
        entry === undefined ? (
          // biome-ignore lint/a11y/useFocusableInteractive: a group can't be opened, so the keys pass it by
          <div
            key={`group ${i}`}
            role="treeitem"
            class="group"
            data-level={Math.min(6, level)}
            aria-level={level}
            aria-selected={false}
          >
            {label}
          </div>
        ) : (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the tree's
          <div
            key={entry.path}
            role="treeitem"
            tabIndex={entry.path === selected || (selected === "" && entry === entries[0]) ? 0 : -1}
            aria-level={level}
            aria-selected={entry.path === selected}
            data-level={Math.min(6, level)}
            title={entry.path}
            onClick={() => onSelect(entry.path)}
          >
            <span class="name">{label}</span>
            {entry.byteLength !== undefined && <span class="size">{bytesText(entry.byteLength)}</span>}
          </div>
        ),
      )}
    </div>
  );
}
