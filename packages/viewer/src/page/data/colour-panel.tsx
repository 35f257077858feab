/** Colour map, range with its histogram, and how the picture lies. @module */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Spread } from "../../worker/protocol.js";
import { Bars } from "../bars.js";
import { countText, numberText } from "../format.js";
import { COLOUR_MAPS, type ColourMapName, colourTable, SCALES, type ScaleName } from "../paint/colour-table.js";
import type { ViewProps } from "./data-tab.js";

interface Props extends ViewProps {
  readonly spread: Spread | undefined;
  readonly low: number;
  readonly high: number;
}

function Ramp({ map, invert }: { readonly map: ColourMapName; readonly invert: boolean }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) return;
    const table = colourTable(map);
    const image = new ImageData(256, 1);
    for (let i = 0; i < 256; i++) {
      const at = 3 * (invert ? 255 - i : i);
      image.data.set([...table.subarray(at, at + 3), 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  }, [map, invert]);
  return <canvas ref={canvas} class="ramp" width={256} height={1} role="img" aria-label={`Colours of ${map}`} />;
}

/** See the module. */
export function ColourPanel({ state, change, spread, low, high }: Props): JSX.Element {
  const chart = useRef<HTMLDivElement>(null);
  const min = spread?.min ?? 0;
  const max = spread?.max ?? 1;
  const part = (value: number): number => Math.max(0, Math.min(1, max > min ? (value - min) / (max - min) : 0));
  const dragTo = (event: PointerEvent): void => {
    const box = chart.current?.getBoundingClientRect();
    if (box === undefined || event.buttons === 0) return;
    const value = min + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (max - min);
    const nearLow = Math.abs(value - low) <= Math.abs(value - high);
    if (nearLow ? value < high : value <= low) change({ range: [value, high] });
    else change({ range: [low, value] });
  };
  const number = (label: string, value: number, set: (value: number) => void): JSX.Element => (
    <label>
      {label}
      <input
        type="text"
        inputMode="decimal"
        value={numberText(value)}
        onChange={(event) => {
          const given = Number(event.currentTarget.value);
          if (event.currentTarget.value.trim() !== "" && Number.isFinite(given)) set(given);
          else event.currentTarget.value = numberText(value);
        }}
      />
    </label>
  );
  const tick = (label: string, name: "invert" | "flipX" | "flipY" | "smooth"): JSX.Element => (
    <label class="inline">
      <input
        type="checkbox"
        checked={state[name]}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <aside class="colours" aria-label="Colours">
      <label>
        Colour map
        <select
          value={state.map}
          disabled={state.colour}
          onChange={(event) => change({ map: event.currentTarget.value as ColourMapName })}
        >
          {COLOUR_MAPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Ramp map={state.map} invert={state.invert} />
      <label>
        Scale
        <select
          value={state.scale}
          disabled={state.colour}
          onChange={(event) => change({ scale: event.currentTarget.value as ScaleName })}
        >
          {SCALES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div class="histogram" ref={chart} onPointerDown={dragTo} onPointerMove={dragTo}>
        <Bars
          counts={spread?.bins ?? []}
          label="Histogram of the slice; the marks are the ends of the colours"
          softened
        />
        <i class="mark" style={{ left: `${100 * part(low)}%` }} />
        <i class="mark" style={{ left: `${100 * part(high)}%` }} />
      </div>
      <div class="ends mono">
        <span>{numberText(min)}</span>
        <span>{numberText(max)}</span>
      </div>
      <div class="pair">
        {number("From", low, (value) => value < high && change({ range: [value, high] }))}
        {number("To", high, (value) => value > low && change({ range: [low, value] }))}
      </div>
      <div class="pair">
        <button
          type="button"
          class={state.range === undefined ? "on" : ""}
          aria-pressed={state.range === undefined}
          onClick={() => change({ range: undefined })}
        >
          1–99 %
        </button>
        <button type="button" disabled={max <= min} onClick={() => change({ range: [min, max] })}>
          Min–max
        </button>
      </div>
      <div class="ticks">
        {tick("Invert", "invert")}
        {tick("Smooth", "smooth")}
        {tick("Flip x", "flipX")}
        {tick("Flip y", "flipY")}
        <label class="inline">
          <input type="color" value={state.nan} onInput={(event) => change({ nan: event.currentTarget.value })} />
          NaN
          {spread !== undefined && spread.nans > 0 && <span class="hint">{countText(spread.nans)}</span>}
        </label>
      </div>
    </aside>
  );
}
