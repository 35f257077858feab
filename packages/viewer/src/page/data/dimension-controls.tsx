/** Which dimensions are drawn, and where along the others. @module */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countText } from "../format.js";
import type { ShapeName } from "../view-state.js";
import type { ViewProps } from "./data-tab.js";

const PLAY_MS = 1000 / 20;

/** The dimensions that a view draws. */
export function drawnDims({ rows, columns, colour }: ViewProps["state"], shape: ShapeName, ndim: number): number[] {
  if (shape === "line" || ndim < 2) return [columns];
  return [rows, columns, ...(colour && shape === "image" ? [ndim - 1] : [])];
}

/** See the module. */
export function DimensionControls({
  facts,
  state,
  change,
  shape,
}: ViewProps & { readonly shape: ShapeName }): JSX.Element | null {
  const [playing, setPlaying] = useState<number>();
  const ndim = facts.shape.length;
  const drawn = drawnDims(state, shape, ndim);
  const { at } = state;
  const move = (dim: number, to: number): void => {
    const size = facts.shape[dim] ?? 1;
    change({ at: at.map((each, i) => (i === dim ? Math.max(0, Math.min(size - 1, to)) : each)) });
  };
  useEffect(() => {
    if (playing === undefined) return;
    const timer = setTimeout(() => move(playing, ((at[playing] ?? 0) + 1) % (facts.shape[playing] ?? 1)), PLAY_MS);
    return () => clearTimeout(timer);
  }, [playing, at]);
  if (ndim < 2) return null;

  const choose = (which: "rows" | "columns", dim: number): void => {
    const other = which === "rows" ? "columns" : "rows";
    change(state[other] === dim ? { rows: state.columns, columns: state.rows } : { [which]: dim });
  };
  const last = facts.shape[ndim - 1];
  const canColour = ndim >= 3 && (last === 3 || last === 4) && facts.dtypeKind !== "c" && shape === "image";
  const usable = facts.shape.flatMap((_, dim) => (state.colour && dim === ndim - 1 ? [] : [dim]));
  const select = (label: string, which: "rows" | "columns"): JSX.Element => (
    <label class="inline">
      {label}
      <select value={String(state[which])} onChange={(event) => choose(which, Number(event.currentTarget.value))}>
        {usable.map((dim) => (
          <option key={dim} value={String(dim)}>
            axis {dim} ({countText(facts.shape[dim] ?? 0)})
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="dims">
      <div class="row">
        {shape !== "line" && select("Down", "rows")}
        {select(shape === "line" ? "Along" : "Across", "columns")}
        {shape !== "line" && (
          <button type="button" onClick={() => change({ rows: state.columns, columns: state.rows })}>
            Transpose
          </button>
        )}
        {canColour && (
          <label class="inline">
            <input
              type="checkbox"
              checked={state.colour}
              onChange={(event) =>
                change(
                  event.currentTarget.checked ? { colour: true, rows: ndim - 3, columns: ndim - 2 } : { colour: false },
                )
              }
            />
            Last axis is colour
          </label>
        )}
      </div>
      {facts.shape.map((size, dim) =>
        drawn.includes(dim) ? null : (
          <div class="slider" key={dim}>
            <span class="axis" id={`axis-${dim}`}>
              axis {dim}
            </span>
            <button
              type="button"
              class="icon"
              aria-label={playing === dim ? `Stop axis ${dim}` : `Play axis ${dim}`}
              disabled={size < 2}
              onClick={() => setPlaying(playing === dim ? undefined : dim)}
            >
              {playing === dim ? "❚❚" : "▶"}
            </button>
            <input
              type="range"
              min={0}
              max={Math.max(0, size - 1)}
              value={at[dim] ?? 0}
              aria-labelledby={`axis-${dim}`}
              onInput={(event) => move(dim, Number(event.currentTarget.value))}
            />
            <input
              type="number"
              min={0}
              max={Math.max(0, size - 1)}
              value={at[dim] ?? 0}
              aria-label={`Position along axis ${dim}`}
              onChange={(event) => move(dim, Math.trunc(Number(event.currentTarget.value) || 0))}
            />
            <span class="hint">of {countText(size)}</span>
          </div>
        ),
      )}
    </div>
  );
}
