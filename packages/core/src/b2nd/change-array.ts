/** Changing an array as one step: in the shape that it has by then, under the frame's lock where there is one. @module */
import { changingStateOf } from "../super-chunk/super-chunk.js";
import { descriptionOf } from "./array-reader.js";
import { encodeB2ndMetalayer } from "./b2nd-metalayer.js";
import type { NDArray } from "./nd-array.js";

/** Does what changes the array. @throws IoError when it is closed or read-only; what `change` throws */
export function changing<T>(array: NDArray, operation: string, change: () => T): T {
  return changingStateOf(array.schunk).changing(operation, () => {
    descriptionOf(array).follow();
    return change();
  });
}

/** Replaces the shape in the metalayer; the chunks must match already. */
export function replaceShape(array: NDArray, shape: readonly number[]): void {
  const description = descriptionOf(array);
  const metalayer = { ...description.metalayer, shape: [...shape] };
  array.schunk.meta.update(description.metalayerName, encodeB2ndMetalayer(metalayer));
  description.replace(metalayer);
}
