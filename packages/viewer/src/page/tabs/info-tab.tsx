/** What the file says of itself. @module */
import type { JSX } from "preact";
import type { FrameFacts, LayerFacts } from "../../worker/protocol.js";
import { DefinitionList } from "../definition-list.js";
import { bytesText, countText } from "../format.js";

function Layers({ title, layers }: { readonly title: string; readonly layers: readonly LayerFacts[] }): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      {layers.length === 0 && <p class="hint">none</p>}
      {layers.map(({ name, byteLength, text }) => (
        <details key={name} open={text.length < 600}>
          <summary>
            <span class="mono">{name}</span> <span class="hint">{bytesText(byteLength)}</span>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <pre tabIndex={0}>{text}</pre>
        </details>
      ))}
    </section>
  );
}

/** See the module. */
export function InfoTab({ facts }: { readonly facts: FrameFacts }): JSX.Element {
  const { shape, chunks, blocks, nbytes, cbytes } = facts;
  const tuple = (dims: readonly number[]): string =>
    `(${dims.map(countText).join(", ")}${dims.length === 1 ? "," : ""})`;
  const rows: [string, string][] = [
    ...(facts.kind === "array"
      ? ([
          ["Shape", tuple(shape)],
          ["Data type", facts.dtype],
          ["Chunk shape", tuple(chunks)],
          ["Block shape", tuple(blocks)],
        ] as [string, string][])
      : ([["Item size", bytesText(facts.itemsize)]] as [string, string][])),
    [
      "Chunks",
      `${countText(facts.nchunks)} of ${facts.chunksize > 0 ? bytesText(facts.chunksize) : "different sizes"}`,
    ],
    ["Uncompressed", `${bytesText(nbytes)} (${countText(nbytes)})`],
    ["Compressed", `${bytesText(cbytes)} (${countText(cbytes)})`],
    ["Ratio", cbytes > 0 ? (nbytes / cbytes).toFixed(2) : "nothing is stored"],
    ["Codec", `${facts.codec}, level ${facts.clevel}`],
    ["Filters", facts.filters.join(" → ") || "none"],
    ["Split", facts.splitmode],
  ];
  return (
    <div class="info">
      <section>
        <h3>Layout and compression</h3>
        <DefinitionList rows={rows} />
      </section>
      <Layers title="Metalayers" layers={facts.meta} />
      <Layers title="Variable-length metalayers" layers={facts.vlmeta} />
    </div>
  );
}
