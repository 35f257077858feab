/**
 * The zfp plugin codecs, 33 (fixed accuracy), 34 (fixed precision) and 35 (fixed rate), for reading: lossy compression of
 * float32 and float64 B2ND blocks of 1 to 4 dimensions. A stream is the cells of one block in C order, without any header;
 * mode and parameter come from the codec's id and meta. (*Blosc2 format documents*, plugin codecs.)
 *
 * @module
 */
import { CodecError } from "../errors.js";
import type { Codec, CodecContext } from "./codec.js";
import { type ZfpCellFormat, ZfpCellReader } from "./plugin-zfp-cell.js";
import { wrongDecodedLength } from "./stream-error.js";

const MAX_PRECISION = 64;
/** The exponent of the smallest float64. */
const MIN_EXPONENT = -1074;

const cells: ZfpCellReader = new ZfpCellReader();
const toleranceBits: DataView = new DataView(new ArrayBuffer(8));

type ModeLimits = Pick<ZfpCellFormat, "cellBits" | "maxPrecision" | "minExponent">;

/** Largest absolute error 10^meta, `meta` being signed. */
function accuracyLimits(meta: number): ModeLimits {
  toleranceBits.setFloat64(0, Number(`1e${(meta << 24) >> 24}`));
  const minExponent = (toleranceBits.getUint16(0) >> 4) - 1023;
  return { cellBits: undefined, maxPrecision: MAX_PRECISION, minExponent };
}

/** `meta` bit planes more than the dimensions call for. */
function precisionLimits(meta: number, ndim: number): ModeLimits {
  return {
    cellBits: undefined,
    maxPrecision: Math.min(MAX_PRECISION, meta + 2 * ndim + 3),
    minExponent: MIN_EXPONENT,
  };
}

/** `meta` percent of the uncompressed size; a cell takes at least its flag and exponent. */
function rateLimits(meta: number, ndim: number, typesize: number): ModeLimits {
  const rate = (meta / 100) * typesize * 8;
  const bits = Math.floor(4 ** ndim * rate + 0.5);
  return {
    cellBits: Math.max(bits, typesize === 8 ? 12 : 9),
    maxPrecision: MAX_PRECISION,
    minExponent: MIN_EXPONENT,
  };
}

/** The block's shape as x, y, z, w, x being the last dimension; checked against the block's size. */
function sidesOf(codec: string, context: CodecContext, byteLength: number): [number, number, number, number] {
  const shape = context.geometry?.blocks;
  if (shape === undefined || shape.length < 1 || shape.length > 4) {
    throw unfit(codec, "dimensions", "a B2ND array of 1..4", shape?.length ?? "no array");
  }
  if (context.typesize !== 4 && context.typesize !== 8) throw unfit(codec, "typesize", "4 or 8", context.typesize);
  const [x, y = 1, z = 1, w = 1] = shape.toReversed();
  const expected = x * y * z * w * context.typesize;
  if (shape.some((side) => side < 1) || expected !== byteLength) throw wrongDecodedLength(codec, byteLength, expected);
  return [x, y, z, w];
}

function unfit(codec: string, field: string, expected: string, found: string | number): CodecError {
  return new CodecError("BLOSC2_CODEC_DECOMPRESS", `${codec}: ${field}: expected ${expected}, found ${found}`, {
    codec,
    direction: "decompress",
    field,
    expected,
    found,
  });
}

function decompressCells(
  codec: string,
  source: Uint8Array,
  target: Uint8Array,
  context: CodecContext,
  limitsOf: (meta: number, ndim: number, typesize: number) => ModeLimits,
): void {
  const [nx, ny, nz, nw] = sidesOf(codec, context, target.byteLength);
  const ndim = context.geometry?.blocks.length ?? 0;
  const { typesize, meta } = context;
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  cells.start(source, { ndim, double: typesize === 8, ...limitsOf(meta, ndim, typesize) }, codec);
  for (let w = 0; w < nw; w += 4) {
    for (let z = 0; z < nz; z += 4) {
      for (let y = 0; y < ny; y += 4) {
        for (let x = 0; x < nx; x += 4) {
          cells.next();
          placeCell(view, typesize, x, y, z, w, nx, ny, nz, nw);
        }
      }
    }
  }
  cells.finish();
}

/** Stores the part of the current cell that lies in the block, whose sides are nx, ny, nz and nw. */
function placeCell(
  view: DataView,
  typesize: number,
  x: number,
  y: number,
  z: number,
  w: number,
  nx: number,
  ny: number,
  nz: number,
  nw: number,
): void {
  const values = cells.values;
  const runLength = Math.min(4, nx - x);
  for (let l = w; l < Math.min(w + 4, nw); l++) {
    for (let k = z; k < Math.min(z + 4, nz); k++) {
      for (let j = y; j < Math.min(y + 4, ny); j++) {
        const from = ((l - w) * 16 + (k - z) * 4 + (j - y)) * 4;
        let at = (((l * nz + k) * ny + j) * nx + x) * typesize;
        for (let i = from; i < from + runLength; i++, at += typesize) {
          if (typesize === 8) view.setFloat64(at, values[i], true);
          else view.setFloat32(at, values[i], true);
        }
      }
    }
  }
}

/** Fixed accuracy; the codec's meta is the decimal exponent of the largest error. Reads only. */
export const zfpAccuracyCodec: Codec = {
  id: 33,
  name: "zfp_acc",
  formatCode: 6,
  dictionaries: false,
  decompress(source, target, context): void {
    decompressCells("zfp_acc", source, target, context, accuracyLimits);
  },
};

/** Fixed precision; the codec's meta is the number of bit planes. Reads only. */
export const zfpPrecisionCodec: Codec = {
  id: 34,
  name: "zfp_prec",
  formatCode: 6,
  dictionaries: false,
  decompress(source, target, context): void {
    decompressCells("zfp_prec", source, target, context, precisionLimits);
  },
};

/** Fixed rate; the codec's meta is the compressed size in percent. Reads only. */
export const zfpRateCodec: Codec = {
  id: 35,
  name: "zfp_rate",
  formatCode: 6,
  dictionaries: false,
  decompress(source, target, context): void {
    decompressCells("zfp_rate", source, target, context, rateLimits);
  },
};
