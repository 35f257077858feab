/** What the slice costs, and what was fetched so far. @module */
import type { JSX } from "preact";
import type { DimPart, Traffic } from "../../worker/protocol.js";
import { bytesText, countText } from "../format.js";
import { useAnswer } from "../use-answer.js";

interface Props {
  readonly frame: number;
  readonly index: readonly DimPart[];
  readonly traffic: Traffic | undefined;
}

/** See the module. */
export function CostLine({ frame, index, traffic }: Props): JSX.Element {
  const { value } = useAnswer("cost", { frame, index });
  return (
    <p class="cost hint">
      {value !== undefined &&
        `This slice: ${countText(value.blocks)} of ${countText(value.blocksInAll)} blocks, ${bytesText(value.bytes)} in ${countText(value.requests)} ${value.requests === 1 ? "read" : "reads"}. `}
      {traffic !== undefined &&
        `So far: ${bytesText(traffic.bytes)} in ${countText(traffic.requests)} ${traffic.requests === 1 ? "read" : "reads"}.`}
    </p>
  );
}
