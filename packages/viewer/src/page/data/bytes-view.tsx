/** The bytes of a super-chunk. @module */
import type { JSX } from "preact";
import { countText } from "../format.js";
import { useAnswer } from "../use-answer.js";
import type { ViewProps } from "./data-tab.js";

const LINE = 16;
const PAGE = LINE * 32;

/** See the module. */
export function BytesView({ facts, state, change }: ViewProps): JSX.Element {
  const last = Math.max(0, Math.floor((facts.nbytes - 1) / PAGE) * PAGE);
  const start = Math.max(0, Math.min(last, state.row));
  const stop = Math.min(facts.nbytes, start + PAGE);
  const { value, error } = useAnswer("bytes", facts.nbytes === 0 ? undefined : { frame: facts.frame, start, stop });
  if (facts.nbytes === 0) {
    return (
      <div class="empty">
        <h3>This super-chunk is empty</h3>
        <p class="hint">No chunk has been written to it.</p>
      </div>
    );
  }
  const bytes = Array.from(value ?? []);
  const lines = Array.from({ length: Math.ceil(bytes.length / LINE) }, (_, i) => {
    const part = bytes.slice(i * LINE, (i + 1) * LINE);
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    return `${(start + i * LINE).toString(16).padStart(8, "0")}  ${hex.padEnd(3 * LINE)} ${text}`;
  });
  return (
    <div class="table">
      <div class="row">
        <button
          type="button"
          class="icon"
          aria-label="Earlier bytes"
          disabled={start === 0}
          onClick={() => change({ row: start - PAGE })}
        >
          ←
        </button>
        <span>
          Bytes {countText(start)}–{countText(stop - 1)} of {countText(facts.nbytes)}
        </span>
        <button
          type="button"
          class="icon"
          aria-label="Later bytes"
          disabled={start >= last}
          onClick={() => change({ row: start + PAGE })}
        >
          →
        </button>
      </div>
      {error !== undefined && (
        <p class="problem" role="alert">
          {error.message}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre class="hex" tabIndex={0}>
        {lines.join("\n")}
      </pre>
    </div>
  );
}
