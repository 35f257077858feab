/** Structured dtypes in NumPy's notation. @module */
import type { DType, DTypeField } from "./dtype.js";
import { product } from "./shape.js";

/** A string as Python's `repr` writes it; what is not ASCII stands as it is. */
export function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const c of text) {
    const code = c.codePointAt(0) as number;
    if (c === quote || c === "\\") out += `\\${c}`;
    else if (c === "\n") out += "\\n";
    else if (c === "\r") out += "\\r";
    else if (c === "\t") out += "\\t";
    else if (code < 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xad)
      out += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (code >= 0xd800 && code <= 0xdfff) out += `\\u${code.toString(16)}`;
    else out += c;
  }
  return quote + out + quote;
}

function tuple(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

function spell(dtype: DType): string {
  return dtype.fields === undefined ? `'${dtype.str}'` : spellStructured(dtype.fields, dtype.itemsize);
}

/**
 * A structured type as the list that NumPy's `dtype.descr` gives, with padding as void fields without a name; `undefined` for fields
 * that overlap or are out of order, which no list can say.
 */
export function spellAsList(fields: readonly DTypeField[], itemsize: number): string | undefined {
  const entries: string[] = [];
  let end = 0;
  for (const { name, dtype, offset, shape } of fields) {
    if (offset < end) return undefined;
    if (offset > end) entries.push(`('', '|V${offset - end}')`);
    const base = dtype.fields === undefined ? `'${dtype.str}'` : spellAsList(dtype.fields, dtype.itemsize);
    if (base === undefined) return undefined;
    entries.push(`(${pythonString(name)}, ${base}${shape.length === 0 ? "" : `, ${tuple(shape)}`})`);
    end = offset + dtype.itemsize * product(shape);
  }
  if (itemsize > end) entries.push(`('', '|V${itemsize - end}')`);
  return `[${entries.join(", ")}]`;
}

/** A structured type as a list of fields where one can say it, else as a dict. */
export function spellStructured(fields: readonly DTypeField[], itemsize: number): string {
  const list = spellAsList(fields, itemsize);
  if (list !== undefined) return list;
  const names = fields.map(({ name }) => pythonString(name));
  const formats = fields.map(({ dtype, shape }) =>
    shape.length === 0 ? spell(dtype) : `(${spell(dtype)}, ${tuple(shape)})`,
  );
  const offsets = fields.map(({ offset }) => offset);
  return `{'names': [${names.join(", ")}], 'formats': [${formats.join(", ")}], 'offsets': [${offsets.join(", ")}], 'itemsize': ${itemsize}}`;
}
