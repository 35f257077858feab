/** Values as text, a page at a time. @module */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DimPart } from "../../worker/protocol.js";
import { countText } from "../format.js";
import { useAnswer } from "../use-answer.js";
import type { ViewProps } from "./data-tab.js";

const ROWS = 50;
const COLUMNS = 20;
/** Columns of an array of one dimension, whose items have no fields. */
const VALUE = "value";

/** See the module. */
export function TableView({ facts, state, change }: ViewProps): JSX.Element {
  const [column, setColumn] = useState(0);
  const ndim = facts.shape.length;
  const rowDim =
    ndim === 0 ? undefined : ndim === 1 || facts.fields.length > 0 ? (ndim === 1 ? 0 : state.columns) : state.rows;
  const columnDim = ndim < 2 || facts.fields.length > 0 ? undefined : state.columns;
  const height = rowDim === undefined ? 1 : (facts.shape[rowDim] ?? 0);
  const width = columnDim === undefined ? 1 : (facts.shape[columnDim] ?? 0);
  const first = Math.max(0, Math.min(state.row, Math.floor((height - 1) / ROWS) * ROWS));
  const firstColumn = Math.min(column, Math.floor((width - 1) / COLUMNS) * COLUMNS);
  const index = facts.shape.map((_, dim): DimPart => {
    if (dim === rowDim) return { start: first, stop: Math.min(height, first + ROWS), step: 1 };
    if (dim === columnDim) return { start: firstColumn, stop: Math.min(width, firstColumn + COLUMNS), step: 1 };
    return state.at[dim] ?? 0;
  });
  const { value, error, busy } = useAnswer("table", { frame: facts.frame, index, rows: rowDim, columns: columnDim });
  const heads =
    facts.fields.length > 0
      ? facts.fields
      : columnDim === undefined
        ? [VALUE]
        : Array.from({ length: Math.min(COLUMNS, width - firstColumn) }, (_, i) => String(firstColumn + i));
  return (
    <div class="table" aria-busy={busy}>
      <div class="row">
        {height > ROWS && (
          <Pager label="Rows" first={first} page={ROWS} count={height} onMove={(row) => change({ row })} />
        )}
        {width > COLUMNS && (
          <Pager label="Columns" first={firstColumn} page={COLUMNS} count={width} onMove={setColumn} />
        )}
      </div>
      {error !== undefined && (
        <div class="failure" role="alert">
          <h3>These items can't be read</h3>
          <p class="message">{error.message}</p>
        </div>
      )}
      {value !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <section class="scroll" tabIndex={0} aria-label="Values">
          <table>
            <thead>
              <tr>
                <th scope="col">{rowDim === undefined ? "item" : `axis ${rowDim}`}</th>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {value.rows.map((cells, i) => (
                <tr key={i}>
                  <th scope="row">{rowDim === undefined ? "" : countText(first + i)}</th>
                  {cells.map((cell, k) => (
                    <td key={k} title={cell.length > 40 ? cell : undefined}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

interface PagerProps {
  readonly label: string;
  readonly first: number;
  readonly page: number;
  readonly count: number;
  readonly onMove: (first: number) => void;
}

function Pager({ label, first, page, count, onMove }: PagerProps): JSX.Element {
  const last = Math.floor((count - 1) / page) * page;
  const go = (to: number): void => onMove(Math.max(0, Math.min(last, to)));
  return (
    <fieldset class="pager">
      <legend class="hidden">{label}</legend>
      <button
        type="button"
        class="icon"
        aria-label={`First ${label.toLowerCase()}`}
        disabled={first === 0}
        onClick={() => go(0)}
      >
        ⇤
      </button>
      <button
        type="button"
        class="icon"
        aria-label={`Earlier ${label.toLowerCase()}`}
        disabled={first === 0}
        onClick={() => go(first - page)}
      >
        ←
      </button>
      <span>
        {label} {countText(first)}–{countText(Math.min(count, first + page) - 1)} of {countText(count)}
      </span>
      <button
        type="button"
        class="icon"
        aria-label={`Later ${label.toLowerCase()}`}
        disabled={first >= last}
        onClick={() => go(first + page)}
      >
        →
      </button>
      <button
        type="button"
        class="icon"
        aria-label={`Last ${label.toLowerCase()}`}
        disabled={first >= last}
        onClick={() => go(last)}
      >
        ⇥
      </button>
      <input
        type="number"
        min={0}
        max={count - 1}
        value={first}
        aria-label={`Go to ${label.toLowerCase()}`}
        onChange={(event) => go(Math.floor((Number(event.currentTarget.value) || 0) / page) * page)}
      />
    </fieldset>
  );
}
