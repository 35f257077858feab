/** Code that reads what is shown. @module */
import type { DimPart } from "../../worker/protocol.js";

/** A string as JavaScript and Python write it alike. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** As a program in JavaScript. */
export function javaScriptCode(address: string, index: readonly DimPart[]): string {
  const isUrl = /^https?:/.test(address);
  const parts = index.map((part) =>
    typeof part === "number"
      ? String(part)
      : part.step === 1
        ? `{ start: ${part.start}, stop: ${part.stop} }`
        : `{ start: ${part.start}, stop: ${part.stop}, step: ${part.step} }`,
  );
  const get = `array.get([${parts.join(", ")}])`;
  return isUrl
    ? `import { openRemoteArray } from "@b2frame/remote";\n\nusing array = await openRemoteArray(${quoted(address)});\nconst slice = await ${get};\n`
    : `import { openArray } from "b2frame";\n\nusing array = openArray(${quoted(address)});\nconst slice = ${get};\n`;
}

/** As a program in Python. */
export function pythonCode(address: string, index: readonly DimPart[]): string {
  const parts = index.map((part) =>
    typeof part === "number"
      ? String(part)
      : part.step === 1
        ? `${part.start}:${part.stop}`
        : `${part.start}:${part.stop}:${part.step}`,
  );
  return `import blosc2\n\narray = blosc2.open(${quoted(address)}, mode="r")\npart = array[${parts.join(", ") || "()"}]\n`;
}
