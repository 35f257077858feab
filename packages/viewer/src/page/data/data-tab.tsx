/** The values: a picture, a curve, a table, or bytes. @module */
import type { JSX } from "preact";
import type { FrameFacts } from "../../worker/protocol.js";
import { type ShapeName, shapeOf, type ViewState } from "../view-state.js";
import { BytesView } from "./bytes-view.js";
import { DimensionControls } from "./dimension-controls.js";
import { ExportPanel } from "./export-panel.js";
import { ImageView } from "./image-view.js";
import { LineView } from "./line-view.js";
import { TableView } from "./table-view.js";

/** What the views of an open frame get. */
export interface ViewProps {
  readonly facts: FrameFacts;
  readonly state: ViewState;
  readonly change: (part: Partial<ViewState>) => void;
}

const SHAPES: readonly (readonly [ShapeName, string])[] = [
  ["image", "Image"],
  ["line", "Line"],
  ["table", "Table"],
];

/** See the module. */
export function DataTab({ facts, state, change, address }: ViewProps & { readonly address: string }): JSX.Element {
  if (facts.kind === "super-chunk") return <BytesView facts={facts} state={state} change={change} />;
  if (facts.shape.some((size) => size === 0)) {
    return (
      <div class="empty">
        <h3>This array is empty</h3>
        <p class="hint">Its shape is ({facts.shape.join(", ")}): there are no items to show.</p>
      </div>
    );
  }
  const shape = shapeOf(state, facts);
  const possible = SHAPES.filter(
    ([name]) =>
      (name === "table" || facts.numeric) &&
      (name !== "image" || facts.shape.length > 1) &&
      (name === "table" || facts.shape.length > 0),
  );
  const view = { facts, state, change };
  return (
    <div class="data">
      <div class="toolbar">
        {possible.length > 1 && (
          <fieldset class="choice">
            <legend class="hidden">Show as</legend>
            {possible.map(([name, label]) => (
              <label key={name} class={name === shape ? "on" : ""}>
                <input type="radio" name="shape" checked={name === shape} onChange={() => change({ shape: name })} />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        {facts.dtypeKind === "c" && shape !== "table" && (
          <label class="inline">
            Part
            <select
              value={state.part}
              onChange={(event) => change({ part: event.currentTarget.value as ViewState["part"], range: undefined })}
            >
              <option>magnitude</option>
              <option>phase</option>
              <option>real</option>
              <option>imaginary</option>
            </select>
          </label>
        )}
      </div>
      <DimensionControls {...view} shape={shape} />
      {shape === "image" && <ImageView {...view} />}
      {shape === "line" && <LineView {...view} />}
      {shape === "table" && <TableView {...view} />}
      <ExportPanel {...view} shape={shape} address={address} />
    </div>
  );
}
