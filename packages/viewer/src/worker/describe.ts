/** What a frame says of itself. @module */
import { RemoteArray, type RemoteSChunk } from "@b2frame/remote";
import { isNumeric } from "./numbers.js";
import type { FrameFacts, LayerFacts } from "./protocol.js";
import { hexText, layerText } from "./value-text.js";

/** Filters by number; the names of C-Blosc2. */
const FILTER_NAMES: Readonly<Record<number, string>> = {
  1: "shuffle",
  2: "bitshuffle",
  3: "delta",
  4: "trunc_prec",
  32: "ndcell",
  33: "ndmean",
  35: "bytedelta",
  36: "int_trunc",
};
const SHOWN_BYTES = 256;

function layers(reader: RemoteArray["meta"] | RemoteArray["vlmeta"]): LayerFacts[] {
  return reader.keys().map((name) => {
    const bytes = reader.get(name);
    const { byteLength } = bytes;
    let text: string;
    try {
      text = layerText(reader.getValue(name));
    } catch {
      // No msgpack: the bytes are all there is to show.
      text = hexText(bytes, SHOWN_BYTES);
    }
    return { name, byteLength, text };
  });
}

function filterText(spec: unknown): string[] {
  const { filter, meta = 0 } =
    typeof spec === "object" && spec !== null ? (spec as { filter: unknown; meta?: number }) : { filter: spec };
  if (filter === 0) return [];
  const name = typeof filter === "number" ? (FILTER_NAMES[filter] ?? `filter ${filter}`) : String(filter);
  return [meta === 0 ? name : `${name} (${meta})`];
}

/** Describes a frame; nothing is fetched. */
export function describeFrame(frame: number, opened: RemoteArray | RemoteSChunk): FrameFacts {
  const isArray = opened instanceof RemoteArray;
  const { name, nbytes, cbytes, nchunks, chunksize, typesize } = opened;
  const { codec, clevel, splitmode, filters } = opened.cparams;
  const dtype = isArray ? opened.dtype : undefined;
  return {
    frame,
    name,
    kind: isArray ? "array" : "super-chunk",
    shape: isArray ? opened.shape : [],
    chunks: isArray ? opened.chunks : [],
    blocks: isArray ? opened.blocks : [],
    dtype: isArray ? (opened.declaredDType ?? opened.dtype.str) : `|V${typesize}`,
    dtypeKind: dtype?.kind ?? "V",
    itemsize: dtype?.itemsize ?? typesize,
    fields: dtype?.fields?.map((field) => field.name) ?? [],
    numeric: dtype !== undefined && isNumeric(dtype),
    nbytes,
    cbytes,
    nchunks,
    chunksize,
    codec: String(codec),
    clevel,
    splitmode: String(splitmode),
    filters: filters.flatMap(filterText),
    meta: layers(opened.meta),
    vlmeta: layers(opened.vlmeta),
  };
}
