/** Taking away what is shown: a file, a link, code. @module */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DimPart } from "../../worker/protocol.js";
import { paintPlane } from "../paint/paint.js";
import { fullIndex, queryOf, type ShapeName } from "../view-state.js";
import { ask } from "../worker-client.js";
import type { ViewProps } from "./data-tab.js";
import { drawnDims } from "./dimension-controls.js";
import { javaScriptCode, pythonCode } from "./slice-code.js";

/** Cells of a file of text that a page can hold. */
const MOST_CELLS = 2_000_000;

function save(content: BlobPart, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A cell as RFC 4180 has it. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** See the module. */
export function ExportPanel(props: ViewProps & { readonly shape: ShapeName; readonly address: string }): JSX.Element {
  const { facts, state, shape, address } = props;
  const [told, setTold] = useState("");
  const dims = drawnDims(state, shape, facts.shape.length);
  const index: DimPart[] = fullIndex(state, facts, dims);
  const { frame } = facts;
  const base = (facts.name.split("/").at(-1) ?? "slice").replace(/\.\w+$/, "");
  const name = `${base}${state.at.length > 0 ? `-${index.map((part) => (typeof part === "number" ? part : "_")).join("-")}` : ""}`;

  const guarded = (work: () => Promise<string>) => async (): Promise<void> => {
    setTold("");
    try {
      setTold(await work());
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  const npy = guarded(async () => {
    save((await ask("npy", { frame, index })) as Uint8Array<ArrayBuffer>, "application/octet-stream", `${name}.npy`);
    return `${name}.npy saved`;
  });
  const csv = guarded(async () => {
    const cells = index.reduce<number>((n, part) => n * (typeof part === "number" ? 1 : part.stop - part.start), 1);
    if (cells > MOST_CELLS)
      throw new Error(`CSV takes at most ${MOST_CELLS} items, this slice has ${cells}; save it as .npy`);
    const rows = dims.length > 1 ? dims[0] : facts.fields.length > 0 || dims.length === 1 ? dims[0] : undefined;
    const { rows: lines } = await ask("table", { frame, index, rows, columns: dims.length > 1 ? dims[1] : undefined });
    const head = facts.fields.length > 0 ? `${facts.fields.map(csvCell).join()}\r\n` : "";
    save(head + lines.map((line) => `${line.map(csvCell).join()}\r\n`).join(""), "text/csv", `${name}.csv`);
    return `${name}.csv saved`;
  });
  const png = guarded(async () => {
    const channels = state.colour ? facts.shape.length - 1 : undefined;
    const plane = await ask("plane", {
      frame,
      index,
      rows: state.rows,
      columns: state.columns,
      channels,
      part: state.part,
    });
    const [low, high] = state.range ?? [plane.spread.low, plane.spread.high];
    const image = paintPlane(plane, { ...state, low, high, nanColour: state.nan });
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    save(await canvas.convertToBlob({ type: "image/png" }), "image/png", `${name}.png`);
    return `${name}.png saved`;
  });
  const copy = (text: string, what: string) =>
    guarded(async () => {
      await navigator.clipboard.writeText(text);
      return `${what} copied`;
    });
  const link = location.origin + location.pathname + queryOf(state);
  const script = javaScriptCode(address, index);
  const python = pythonCode(address, index);
  return (
    <details class="export">
      <summary>Export and code</summary>
      <div class="row">
        {shape === "image" && (
          <button type="button" onClick={() => void png()}>
            Save PNG
          </button>
        )}
        <button type="button" onClick={() => void npy()}>
          Save .npy
        </button>
        {!state.colour && (
          <button type="button" onClick={() => void csv()}>
            Save CSV
          </button>
        )}
        <button type="button" onClick={() => void copy(link, "link")()}>
          Copy link
        </button>
        <output class="hint">{told}</output>
      </div>
      <div class="codes">
        {[
          ["JavaScript", script],
          ["Python", python],
        ].map(([language = "", code = ""]) => (
          <figure key={language}>
            <figcaption>
              {language}
              <button
                type="button"
                aria-label={`Copy ${language} code`}
                onClick={() => void copy(code, `${language} code`)()}
              >
                Copy
              </button>
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
            <pre tabIndex={0}>{code}</pre>
          </figure>
        ))}
      </div>
    </details>
  );
}
