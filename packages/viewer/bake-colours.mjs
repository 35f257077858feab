/** Bakes the colour tables of the page out of d3-scale-chromatic: 256 colours each, three bytes a colour, in base64. @module */
import { writeFileSync } from "node:fs";
import * as d3 from "d3-scale-chromatic";

const COUNT = 256;
const MAPS = {
  viridis: d3.interpolateViridis,
  magma: d3.interpolateMagma,
  inferno: d3.interpolateInferno,
  plasma: d3.interpolatePlasma,
  cividis: d3.interpolateCividis,
  turbo: d3.interpolateTurbo,
  "red-blue": (t) => d3.interpolateRdBu(1 - t),
};

/** @param {string} colour `#rrggbb` or `rgb(r, g, b)` */
function bytesOf(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return colour.match(/\d+/g).map(Number);
}

/** @param {(t: number) => string} colourAt */
function bake(colourAt) {
  return Buffer.from(Array.from({ length: COUNT }, (_, i) => bytesOf(colourAt(i / (COUNT - 1)))).flat());
}

const gray = Buffer.from(Array.from({ length: COUNT }, (_, i) => [i, i, i]).flat());
const tables = Object.entries({
  gray,
  ...Object.fromEntries(Object.entries(MAPS).map(([name, at]) => [name, bake(at)])),
});
const lines = tables.map(([name, bytes]) => {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `  ${key}:\n    "${bytes.toString("base64")}",`;
});
writeFileSync(
  new URL("src/page/paint/colour-bytes.ts", import.meta.url),
  `/** Made by bake-colours.mjs out of d3-scale-chromatic (ISC, Mike Bostock; colour maps by their authors). @module */

/** 256 colours of three bytes, in base64, by the name of the map. */
export const COLOUR_BYTES = {
${lines.join("\n")}
} as const;
`,
);
