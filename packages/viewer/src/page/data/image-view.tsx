/** A picture of two dimensions with its colours and its range. @module */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DimPart, PlaneRequest } from "../../worker/protocol.js";
import { countText } from "../format.js";
import { useAnswer } from "../use-answer.js";
import { ColourPanel } from "./colour-panel.js";
import { CostLine } from "./cost-line.js";
import type { ViewProps } from "./data-tab.js";
import { drawnDims } from "./dimension-controls.js";
import { PictureCanvas, type PictureWindow } from "./picture-canvas.js";

/** Items of a plane that is always read whole. */
const WHOLE = 2 ** 21;

/** See the module. */
export function ImageView({ facts, state, change }: ViewProps): JSX.Element {
  const height = facts.shape[state.rows] ?? 1;
  const width = facts.shape[state.columns] ?? 1;
  const [wanted, setWanted] = useState<PictureWindow>();
  const full: PictureWindow = { top: 0, left: 0, bottom: height, right: width, step: 1 };
  const coarse = Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(height, width) / 1024)));
  const fits = wanted !== undefined && wanted.bottom <= height && wanted.right <= width;
  const window = height * width <= WHOLE ? full : fits ? wanted : { ...full, step: coarse };
  const index = facts.shape.map((size, dim): DimPart => {
    if (dim === state.rows) return { start: window.top, stop: window.bottom, step: window.step };
    if (dim === state.columns) return { start: window.left, stop: window.right, step: window.step };
    return drawnDims(state, "image", facts.shape.length).includes(dim)
      ? { start: 0, stop: size, step: 1 }
      : (state.at[dim] ?? 0);
  });
  const request: PlaneRequest = {
    frame: facts.frame,
    index,
    rows: state.rows,
    columns: state.columns,
    channels: state.colour ? facts.shape.length - 1 : undefined,
    part: state.part,
  };
  const { value: plane, question, error, busy } = useAnswer("plane", request);
  const [low, high] = state.range ?? [plane?.spread.low ?? 0, plane?.spread.high ?? 1];
  return (
    <div class="image">
      <div class="stage">
        {error !== undefined ? (
          <div class="failure" role="alert">
            <h3>This slice can't be read</h3>
            <p class="message">{error.message}</p>
          </div>
        ) : (
          <PictureCanvas
            plane={plane}
            shown={question === undefined ? window : windowOf(question)}
            height={height}
            width={width}
            state={state}
            low={low}
            high={high}
            busy={busy}
            onWindow={setWanted}
          />
        )}
        {plane !== undefined && plane.spread.finite === 0 && plane.channelCount === 1 && (
          <p class="note">
            {plane.spread.nans > 0 ? "All values of this slice are NaN." : "There are no finite values in this slice."}
          </p>
        )}
        {window.step > 1 && (
          <p class="hint">One item in {countText(window.step)} is shown each way; zoom in for all.</p>
        )}
        <CostLine frame={facts.frame} index={index} traffic={plane?.traffic} />
      </div>
      <ColourPanel facts={facts} state={state} change={change} spread={plane?.spread} low={low} high={high} />
    </div>
  );
}

function windowOf({ index, rows, columns }: PlaneRequest): PictureWindow {
  const down = index[rows];
  const across = index[columns];
  if (typeof down !== "object" || typeof across !== "object") return { top: 0, left: 0, bottom: 1, right: 1, step: 1 };
  return { top: down.start, bottom: down.stop, left: across.start, right: across.stop, step: down.step };
}
