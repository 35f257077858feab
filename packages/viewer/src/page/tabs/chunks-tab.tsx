/** The chunks: how well each is compressed, and what the slice takes of them. @module */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChunkCell, ChunkFacts, ChunkMap, FrameFacts } from "../../worker/protocol.js";
import { Bars } from "../bars.js";
import { CostLine } from "../data/cost-line.js";
import type { ViewProps } from "../data/data-tab.js";
import { drawnDims } from "../data/dimension-controls.js";
import { DefinitionList } from "../definition-list.js";
import { bytesText, countText, percentText } from "../format.js";
import { colourTable } from "../paint/colour-table.js";
import { useAnswer } from "../use-answer.js";
import { fullIndex, shapeOf } from "../view-state.js";
import { ask, isAbort } from "../worker-client.js";

const MOST_CELLS = 4096;
/** Ratios from 1 to this are told apart by colour. */
const HIGHEST_RATIO = 100;
const SPECIAL_COLOURS: Readonly<Record<string, string>> = {
  zeros: "#8a94a6",
  nan: "#e0007a",
  uninit: "#c9b458",
  mixed: "#8f7ac8",
  value: "#8a94a6",
};
const SPECIAL_NAMES: Readonly<Record<string, string>> = {
  zeros: "zeros",
  nan: "NaN",
  uninit: "never written",
  mixed: "of several kinds",
  value: "one value",
};

function cellColour({ special, stored, nbytes }: ChunkCell, table: Uint8Array): string {
  if (special !== undefined) return SPECIAL_COLOURS[special] ?? "#888";
  const ratio = nbytes / Math.max(1, stored);
  const at = 3 * Math.round(255 * Math.max(0, Math.min(1, Math.log(ratio) / Math.log(HIGHEST_RATIO))));
  return `rgb(${table[at]}, ${table[at + 1]}, ${table[at + 2]})`;
}

/** Cells in a row: as the last dimension of the chunks has them, if that is neither few nor many. */
function cellsPerRow({ cells, perCell }: ChunkMap, { shape, chunks }: FrameFacts): number {
  const last = Math.ceil((shape.at(-1) ?? 1) / Math.max(1, chunks.at(-1) ?? 1));
  if (perCell === 1 && shape.length > 1 && last >= 6 && last <= 64) return last;
  return Math.max(1, Math.min(64, Math.ceil(Math.sqrt(cells.length * 2))));
}

interface MapProps {
  readonly map: ChunkMap;
  readonly facts: FrameFacts;
  readonly chosen: number | undefined;
  readonly onChoose: (cell: number) => void;
}

function ChunkCanvas({ map, facts, chosen, onChoose }: MapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const across = cellsPerRow(map, facts);
  const rows = Math.ceil(map.cells.length / across);
  const side = Math.max(8, Math.min(44, Math.floor(640 / across)));
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) return;
    const table = colourTable("viridis");
    context.clearRect(0, 0, across * side, rows * side);
    for (const [i, cell] of map.cells.entries()) {
      context.fillStyle = cellColour(cell, table);
      context.fillRect((i % across) * side, Math.floor(i / across) * side, side - 1, side - 1);
    }
    if (chosen === undefined) return;
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--text");
    context.lineWidth = 2;
    context.strokeRect((chosen % across) * side + 1, Math.floor(chosen / across) * side + 1, side - 3, side - 3);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onChoose(Math.max(0, Math.min(map.cells.length - 1, (chosen ?? -step) + step)));
  };
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys are the canvas's own
    <canvas
      ref={canvas}
      class="chunk-map"
      width={across * side}
      height={rows * side}
      tabIndex={0}
      role="application"
      aria-label="Map of the chunks, coloured by ratio. Arrow keys choose one."
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const shrink = (across * side) / box.width;
        const x = Math.floor(((event.clientX - box.left) * shrink) / side);
        const y = Math.floor(((event.clientY - box.top) * shrink) / side);
        const cell = y * across + x;
        if (x < across && cell < map.cells.length) onChoose(cell);
      }}
    />
  );
}

function ChosenChunk({ facts, cell }: { readonly facts: FrameFacts; readonly cell: ChunkCell }): JSX.Element {
  const { value, error, busy } = useAnswer(
    "chunk",
    cell.count === 1 ? { frame: facts.frame, index: cell.first } : undefined,
  );
  if (cell.count > 1) {
    return (
      <p>
        Chunks {countText(cell.first)} to {countText(cell.first + cell.count - 1)}: {bytesText(cell.nbytes)} in{" "}
        {bytesText(cell.stored)}.
      </p>
    );
  }
  if (error !== undefined) {
    return (
      <p class="problem" role="alert">
        {error.message}
      </p>
    );
  }
  if (value === undefined || (busy && value.index !== cell.first))
    return <p class="hint">Reading chunk {cell.first}…</p>;
  return <ChunkDetails chunk={value} />;
}

function ChunkDetails({ chunk }: { readonly chunk: ChunkFacts }): JSX.Element {
  const { index, start, stop, nbytes, cbytes, special, position, milliseconds } = chunk;
  const rows: [string, string][] = [
    ["Chunk", countText(index)],
    ...(start.length > 0
      ? ([["Items", `[${start.map((s, dim) => `${s}:${stop[dim]}`).join(", ")}]`]] as [string, string][])
      : []),
    ["Uncompressed", bytesText(nbytes)],
    [
      "Compressed",
      special === undefined
        ? `${bytesText(cbytes)} (${(nbytes / cbytes).toFixed(2)}×)`
        : (SPECIAL_NAMES[special] ?? special),
    ],
    ["Position", position === undefined ? "in the index only" : countText(position)],
    ["Decoded in", `${milliseconds.toFixed(1)} ms`],
  ];
  return <DefinitionList rows={rows} />;
}

function DeadBytes({ facts }: { readonly facts: FrameFacts }): JSX.Element {
  const [text, setText] = useState("");
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);
  const count = async (): Promise<void> => {
    running.current = new AbortController();
    try {
      const onProgress = (done: number, total: number): void =>
        setText(`${countText(done)} of ${countText(total)} chunk headers…`);
      const dead = await ask("deadBytes", { frame: facts.frame }, { signal: running.current.signal, onProgress });
      setText(
        dead === 0
          ? "none: every stored byte is in use"
          : `${bytesText(dead)}, ${percentText(dead, facts.cbytes)}; b2frame compact gives them back`,
      );
    } catch (error) {
      if (!isAbort(error)) setText((error as Error).message);
    }
  };
  return (
    <div class="row">
      <button type="button" onClick={() => void count()}>
        Count dead bytes
      </button>
      <output class="hint">{text || "reads the header of every chunk"}</output>
    </div>
  );
}

/** See the module. */
export function ChunksTab({ facts, state }: ViewProps): JSX.Element {
  const [chosen, setChosen] = useState<number>();
  const { value: map, error } = useAnswer("chunkMap", { frame: facts.frame, cells: MOST_CELLS });
  if (error !== undefined) {
    return (
      <p class="problem" role="alert">
        {error.message}
      </p>
    );
  }
  if (map === undefined) return <p class="hint">Reading the index…</p>;
  if (map.cells.length === 0) return <p class="hint">There are no chunks.</p>;
  const kinds = [...new Set(map.cells.flatMap(({ special }) => special ?? []))];
  const cell = chosen === undefined ? undefined : map.cells[chosen];
  const dims = drawnDims(state, shapeOf(state, facts), facts.shape.length);
  const largest = map.sizes.at(-1);
  return (
    <div class="chunks">
      <div>
        <p class="hint">
          {countText(facts.nchunks)} chunks{map.perCell > 1 && `, ${countText(map.perCell)} to a square`}
          {map.special > 0 && `, ${countText(map.special)} of them take no room`}. Choose one to look closer.
        </p>
        <ChunkCanvas map={map} facts={facts} chosen={chosen} onChoose={setChosen} />
        <ul class="legend">
          <li>
            <i class="scale" /> ratio 1 to {HIGHEST_RATIO}
          </li>
          {kinds.map((kind) => (
            <li key={kind}>
              <i class="swatch" style={{ background: SPECIAL_COLOURS[kind] ?? "#888" }} /> {SPECIAL_NAMES[kind] ?? kind}
            </li>
          ))}
        </ul>
      </div>
      <div class="beside">
        <section aria-live="polite">
          <h3>Chunk</h3>
          {cell === undefined ? <p class="hint">none chosen</p> : <ChosenChunk facts={facts} cell={cell} />}
        </section>
        {largest !== undefined && (
          <section>
            <h3>Stored sizes</h3>
            <Bars counts={map.sizes.map(({ count }) => count)} label="How many chunks have which size in the file" />
            <div class="ends mono">
              <span>{bytesText(map.sizes[0]?.from ?? 0)}</span>
              <span>{bytesText(largest.from * 2)}</span>
            </div>
          </section>
        )}
        <section>
          <h3>Space</h3>
          <DeadBytes facts={facts} />
        </section>
        {facts.kind === "array" && !facts.shape.includes(0) && (
          <section>
            <h3>The slice in the Data tab</h3>
            <CostLine frame={facts.frame} index={fullIndex(state, facts, dims)} traffic={undefined} />
          </section>
        )}
      </div>
    </div>
  );
}
