/** The backends that are tortured. @module */
import type { IoBackend } from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import type { FrameKind } from "./frame-state.js";

/** `mmap-map`: mmap that writes through the map, too. */
export type IoName = "stdio" | "mmap" | "mmap-map";

/** A new backend. */
export function makeBackend(io: IoName): IoBackend {
  if (io === "stdio") return stdio();
  return mmap({ writes: io === "mmap" ? "descriptor" : "map" });
}

/** What a backend can keep. */
export function kindsOf(io: IoName): readonly FrameKind[] {
  return io === "stdio" ? ["contiguous", "sparse", "array"] : ["contiguous", "array"];
}
