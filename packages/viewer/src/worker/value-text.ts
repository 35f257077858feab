/** Values of items and metalayers as text for people. @module */
import {
  Complex,
  EmbeddedFrame,
  type ItemValue,
  MsgpackExtension,
  type NestedArray,
  ObjectBuffer,
} from "@b2frame/core/read";

const SHOWN_BYTES = 32;
const SHOWN_ENTRIES = 100;
const SHOWN_DEPTH = 8;
const SHOWN_CHARACTERS = 4000;
const NOT_A_TIME = -(2n ** 63n);

/** The first bytes in hexadecimal. */
export function hexText(bytes: Uint8Array, most: number = SHOWN_BYTES): string {
  const hex = Array.from(bytes.subarray(0, most), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return bytes.byteLength > most ? `${hex} ... (${bytes.byteLength} bytes)` : hex;
}

/** One item as text. `kind` tells times from integers. */
export function itemText(value: ItemValue | NestedArray, kind: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" && "Mm".includes(kind)) return value === NOT_A_TIME ? "NaT" : String(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Uint8Array) return hexText(value);
  if (Array.isArray(value)) {
    if (kind === "c") {
      const [re, im] = value as [number, number];
      return `${re}${im < 0 || Object.is(im, -0) ? "-" : "+"}${Math.abs(im)}j`;
    }
    return `[${value.slice(0, SHOWN_ENTRIES).map((each) => itemText(each, ""))}${value.length > SHOWN_ENTRIES ? ", ..." : ""}]`;
  }
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${itemText(each, "")}`)
      .join(", ");
  }
  return String(value);
}

/** A decoded msgpack value as what JSON can hold, cut to what a person reads. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  if (typeof value === "string")
    return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value;
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof Uint8Array) return `<${hexText(value)}>`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Complex) return `${value.re}${value.im < 0 ? "" : "+"}${value.im}j`;
  if (value instanceof EmbeddedFrame) return `<frame of ${value.bytes.byteLength} bytes>`;
  if (value instanceof MsgpackExtension) return `<extension ${value.type}: ${hexText(value.data)}>`;
  if (value instanceof ObjectBuffer) return { shape: value.shape, values: plain(value.values, depth + 1) };
  if (depth > SHOWN_DEPTH) return "...";
  if (value instanceof Map)
    return Array.from(value)
      .slice(0, SHOWN_ENTRIES)
      .map((pair) => plain(pair, depth + 1));
  if (Array.isArray(value) || value instanceof Set) {
    const items = Array.from(value);
    const shown = items.slice(0, SHOWN_ENTRIES).map((each) => plain(each, depth + 1));
    return items.length > SHOWN_ENTRIES ? [...shown, `... ${items.length} in all`] : shown;
  }
  const entries = Object.entries(value).slice(0, SHOWN_ENTRIES);
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each, depth + 1)]));
}

/** A metalayer's value as indented JSON; what JSON has no word for becomes a string. */
export function layerText(value: unknown): string {
  return JSON.stringify(plain(value, 0), undefined, 2);
}
