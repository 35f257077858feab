/** Names of ZIP members. @module */
import { FLAG_UTF8 } from "./zip-layout.js";

// Every runtime that we support has both; the language library that the compiler is given does not declare them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Code page 437 from 0x80 on: what names without the UTF-8 flag are in. */
const CODE_PAGE_437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** The name, or `undefined` if its bytes are not what the flags say. */
export function decodeName(bytes: Uint8Array, flags: number): string | undefined {
  if ((flags & FLAG_UTF8) !== 0) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
  let name = "";
  for (const byte of bytes) name += byte < 0x80 ? String.fromCharCode(byte) : CODE_PAGE_437[byte - 0x80];
  return name;
}

/** The name's bytes, and the flag that says that they are UTF-8; ASCII needs none. */
export function encodeName(name: string): { bytes: Uint8Array; flags: number } {
  const bytes = new TextEncoder().encode(name);
  return { bytes, flags: bytes.some((byte) => byte >= 0x80) ? FLAG_UTF8 : 0 };
}
