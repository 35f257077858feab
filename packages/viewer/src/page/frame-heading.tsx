/** The name of what is open, and its most important facts. @module */
import type { JSX } from "preact";
import type { FrameFacts } from "../worker/protocol.js";
import { bytesText, countText } from "./format.js";
import type { SourceEntry } from "./sources.js";

/** See the module. */
export function FrameHeading(props: {
  readonly entry: SourceEntry;
  readonly facts: FrameFacts | undefined;
}): JSX.Element {
  const { entry, facts } = props;
  return (
    <div class="heading">
      <h2 title={entry.path}>{entry.path}</h2>
      {facts !== undefined && (
        <ul class="chips" aria-label="Facts">
          {facts.kind === "array" ? (
            <li>
              <span class="mono">({facts.shape.map(countText).join(" × ")})</span>
            </li>
          ) : (
            <li>super-chunk</li>
          )}
          <li>
            <span class="mono">{facts.dtype}</span>
          </li>
          <li>
            {bytesText(facts.nbytes)} in {bytesText(facts.cbytes)}
          </li>
          {facts.cbytes > 0 && facts.nbytes > 0 && <li>{(facts.nbytes / facts.cbytes).toFixed(1)}×</li>}
          <li>{facts.codec}</li>
        </ul>
      )}
    </div>
  );
}
