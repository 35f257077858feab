/** A curve along one dimension. @module */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Line } from "../../worker/protocol.js";
import { countText } from "../format.js";
import { useAnswer } from "../use-answer.js";
import { fullIndex } from "../view-state.js";
import { CostLine } from "./cost-line.js";
import type { ViewProps } from "./data-tab.js";

const HEIGHT = 340;
const LEAST = 8;

interface Window {
  readonly start: number;
  readonly stop: number;
}

function lineOptions(width: number, onSelect: (from: number, to: number) => void): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
  const axis = {
    stroke: colour("--text"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line") },
  };
  const curve = { stroke: colour("--accent"), width: 1.25, points: { show: false } };
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: false } },
    legend: { show: true },
    axes: [
      { ...axis, space: 90 },
      { ...axis, size: 72 },
    ],
    series: [{ label: "item" }, { ...curve, label: "lowest" }, { ...curve, label: "highest" }],
    bands: [{ series: [2, 1], fill: colour("--accent-soft") as unknown as string }],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width: across } = plot.select;
          if (across > 4) onSelect(plot.posToVal(left, "x"), plot.posToVal(left + across, "x"));
        },
      ],
    },
    cursor: { drag: { x: true, y: false, setScale: false } },
  };
}

/** See the module. */
export function LineView({ facts, state }: ViewProps): JSX.Element {
  const dim = Math.max(0, state.columns);
  const size = facts.shape[dim] ?? 0;
  const [chosen, setChosen] = useState<Window & { readonly dim: number }>();
  const window = chosen?.dim === dim ? chosen : { start: 0, stop: size };
  const { start, stop } = window;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const index = fullIndex(state, facts, [dim]);
  const request = { frame: facts.frame, index, dim, start, stop, part: state.part, width: 1600 };
  const { value, error, busy, progress } = useAnswer("line", request);

  const move = (from: number, to: number): void => {
    const length = Math.max(LEAST, Math.min(size, Math.round(to - from)));
    const first = Math.max(0, Math.min(size - length, Math.round(from)));
    setChosen({ dim, start: Math.max(0, first), stop: Math.min(size, first + length) });
  };
  const select = useRef(move);
  select.current = move;

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(
      lineOptions(Math.max(200, element.clientWidth), (from, to) => select.current(from, to)),
      [[], [], []],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    if (value === undefined) return;
    plot.current?.setData([value.x, value.low, value.high]);
    plot.current?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }, [value]);

  const span = stop - start;
  const steps: readonly (readonly [string, string, number, number])[] = [
    ["←", "Earlier", start - span / 2, stop - span / 2],
    ["→", "Later", start + span / 2, stop + span / 2],
    ["+", "Zoom in", start + span / 4, stop - span / 4],
    ["−", "Zoom out", start - span / 2, stop + span / 2],
  ];
  return (
    <div class="line">
      {error !== undefined && (
        <div class="failure" role="alert">
          <h3>This line can't be read</h3>
          <p class="message">{error.message}</p>
        </div>
      )}
      <div class="row">
        {steps.map(([sign, label, from, to]) => (
          <button key={label} type="button" class="icon" aria-label={label} onClick={() => move(from, to)}>
            {sign}
          </button>
        ))}
        <button type="button" onClick={() => setChosen(undefined)}>
          All
        </button>
        <span class="hint">{describe(window, value)}</span>
        {busy && progress !== undefined && <progress value={progress} aria-label="Items read" />}
      </div>
      <div ref={box} class="plot" role="img" aria-label={`Items ${start} to ${stop} as a curve`} aria-busy={busy} />
      <p class="hint">Drag across the curve to look closer.</p>
      <CostLine
        frame={facts.frame}
        index={index.map((part, i) => (i === dim ? { start, stop, step: 1 } : part))}
        traffic={value?.traffic}
      />
    </div>
  );
}

function describe({ start, stop }: Window, line: Line | undefined): string {
  const items = `items ${countText(start)} to ${countText(Math.max(start, stop - 1))}`;
  return line === undefined || line.step === 1 ? items : `${items}; lowest and highest of each ${countText(line.step)}`;
}
