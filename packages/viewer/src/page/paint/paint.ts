/** Values to pixels. @module */
import type { Plane } from "../../worker/protocol.js";
import { type ColourMapName, colourIndexer, colourTable, type ScaleName } from "./colour-table.js";

/** How values are coloured. */
export interface PaintOptions {
  readonly map: ColourMapName;
  readonly scale: ScaleName;
  readonly low: number;
  readonly high: number;
  readonly invert: boolean;
  /** `#rrggbb`; `""` leaves NaN see-through. */
  readonly nanColour: string;
}

const BYTES = 256;
const OPAQUE = 255;

/** A colour as a canvas keeps it in memory: red first, alpha last. */
function packed(red: number, green: number, blue: number, alpha: number): number {
  const bytes = new Uint8ClampedArray([red, green, blue, alpha]);
  return new Uint32Array(bytes.buffer)[0] as number;
}

function nanPixel(colour: string): number {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return 0;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return packed(red as number, green as number, blue as number, OPAQUE);
}

function paintColours(plane: Plane, pixels: Uint8ClampedArray, low: number, high: number): void {
  const { height, width, rowStride, columnStride, channelStride, channelCount, values } = plane;
  const asIs = values instanceof Uint8Array;
  let out = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowStride + x * columnStride;
      for (let channel = 0; channel < 4; channel++) {
        const value = channel < channelCount ? (values[at + channel * channelStride] as number) : Number.NaN;
        if (channel >= channelCount) pixels[out++] = OPAQUE;
        else pixels[out++] = asIs ? value : ((value - low) / (high - low || 1)) * OPAQUE;
      }
    }
  }
}

/** Paints a picture, one pixel a value, from the upper left. */
export function paintPlane(plane: Plane, options: PaintOptions): ImageData {
  const { height, width, rowStride, columnStride, values, channelCount } = plane;
  const image = new ImageData(Math.max(1, width), Math.max(1, height));
  const { map, scale, low, high, invert, nanColour } = options;
  if (channelCount > 1) {
    paintColours(plane, image.data, low, high);
    return image;
  }
  const table = colourTable(map);
  const colours = new Uint32Array(BYTES + 1);
  for (let i = 0; i < BYTES; i++) {
    const at = 3 * (invert ? BYTES - 1 - i : i);
    colours[i] = packed(table[at] as number, table[at + 1] as number, table[at + 2] as number, OPAQUE);
  }
  colours[BYTES] = nanPixel(nanColour);
  const indexOf = colourIndexer(scale, low, high);
  const pixels = new Uint32Array(image.data.buffer);
  let out = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * rowStride; x < width; x++, at += columnStride) {
      const index = indexOf(values[at] as number);
      pixels[out++] = colours[index < 0 ? BYTES : index] as number;
    }
  }
  return image;
}
