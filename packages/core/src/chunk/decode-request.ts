/** The request that a reader of blocks uses for one block after the other. @module */
import type { BlockDecodeRequest, Located } from "../block/engine.js";

/** A request that is used for one block after the other. */
export type ReusedDecodeRequest = { -readonly [K in keyof BlockDecodeRequest]: BlockDecodeRequest[K] };

const NOTHING: Uint8Array = new Uint8Array(0);

/** A request with nothing in it yet. */
export function newDecodeRequest(place: Located, variableLength: boolean): ReusedDecodeRequest {
  return {
    place,
    source: NOTHING,
    sourceOffset: 0,
    sourceStart: 0,
    sourceEnd: 0,
    blockIndex: 0,
    blockByteLength: 0,
    from: 0,
    to: 0,
    target: NOTHING,
    targetOffset: 0,
    reference: undefined,
    variableLength,
  };
}

/** Forgets the caller's and the engine's memory, so that the request does not keep it. */
export function releaseRequest(request: ReusedDecodeRequest): void {
  request.target = NOTHING;
  request.source = NOTHING;
  request.reference = undefined;
}
