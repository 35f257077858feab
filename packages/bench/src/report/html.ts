/** The HTML report: one file that needs nothing else. @module */
import { writeFileSync } from "node:fs";
import { CASES } from "../cases/all-cases.js";
import type { Result } from "../result.js";
import type { Report } from "./json.js";
import { shortNumber, shortParameters } from "./numbers.js";
import { COLOURS, chunksizeFigures, type Figure, ratioFigures, workerFigures } from "./plots.js";
import { describeEnvironment } from "./table.js";

const STYLE = `
:root { color-scheme: light dark; --soft: #6b7280; --line: #d9dde3; --panel: #f6f7f9; }
@media (prefers-color-scheme: dark) { :root { --soft: #9aa4b2; --line: #343b45; --panel: #1d2127; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .2rem; }
p, figcaption { color: var(--soft); margin: .2rem 0 .6rem; }
figure { margin: 0; } svg { max-width: 100%; height: auto; display: block; overflow: visible; }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
.tile { background: var(--panel); border-radius: 8px; padding: .6rem 1rem; }
.tile b { display: block; font-size: 1.4rem; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; } .pair figure { flex: 1 1 400px; }
.legend { display: flex; flex-wrap: wrap; gap: 1.1rem; color: var(--soft); font-size: .9rem; }
.legend i { display: inline-block; width: .75em; height: .75em; border-radius: 50%; margin-right: .4em; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.met { color: #2e9e5b; } .missed { color: #d1495b; } summary { cursor: pointer; margin: 2rem 0 .6rem; }
pre { background: var(--panel); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; font-size: .82rem; white-space: pre-wrap; }
`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function figureHtml({ title, caption, svg }: Figure): string {
  return `<figure><h2>${escaped(title)}</h2><figcaption>${escaped(caption)}</figcaption>${svg}</figure>`;
}

function cell(text: string, numeric = false): string {
  return numeric ? `<td class="n">${escaped(text)}</td>` : `<td>${escaped(text)}</td>`;
}

function rowHtml(result: Result): string {
  const { goal, ratio, peerVariant } = result;
  const met = goal === undefined ? undefined : ratio >= goal;
  const verdict =
    met === undefined ? "" : `<span class="${met ? "met" : "missed"}">${goal} ${met ? "met" : "missed"}</span>`;
  return `<tr>${[
    cell(result.case),
    cell(result.data),
    cell(shortParameters(result.parameters)),
    cell(result.workers === 0 ? result.backend : `${result.backend}, ${result.workers} workers`),
    cell(peerVariant === undefined ? result.peerName : `${result.peerName}, ${peerVariant}`),
    cell(shortNumber(result.ours), true),
    cell(shortNumber(result.peer), true),
    cell(result.unit),
    cell(shortNumber(ratio), true),
    cell(result.ratioQuartiles.map(shortNumber).join(" - "), true),
  ].join("")}<td>${verdict}</td></tr>`;
}

const HEADINGS: readonly (readonly [string, boolean])[] = [
  ["case", false],
  ["data", false],
  ["how much", false],
  ["backend", false],
  ["peer", false],
  ["b2frame", true],
  ["peer", true],
  ["unit", false],
  ["ratio", true],
  ["quartiles", true],
  ["goal", false],
];

function tableHtml(results: readonly Result[]): string {
  const head = HEADINGS.map(([text, numeric]) => `<th${numeric ? ' class="n"' : ""}>${text}</th>`).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${results.map(rowHtml).join("\n")}</tbody></table></div>`;
}

function tile(value: string, text: string): string {
  return `<div class="tile"><b>${escaped(value)}</b>${escaped(text)}</div>`;
}

function tiles(results: readonly Result[]): string {
  const withGoal = results.filter((result) => result.goal !== undefined);
  const met = withGoal.filter((result) => result.ratio >= (result.goal ?? 0));
  const faster = results.filter((result) => result.peerName === "c-blosc2" && !result.peerVariant);
  const made: string[] = [];
  if (withGoal.length > 0) made.push(tile(`${met.length} of ${withGoal.length}`, "goals met"));
  if (faster.length > 0) {
    const count = faster.filter((result) => result.ratio >= 1).length;
    made.push(tile(`${count} of ${faster.length}`, "comparisons where b2frame is as fast as C-Blosc2, or faster"));
  }
  return `<div class="tiles">${made.join("")}</div>`;
}

function legend(results: readonly Result[]): string {
  const backends = [...new Set(results.map((result) => result.backend))];
  const against = results.some((result) => result.peerName === "c-blosc2") ? backends : [];
  const names = [...backends, ...against.map((name) => `C-Blosc2, ${name}`)].filter((name) => name in COLOURS);
  const items = names.map((name) => `<span><i style="background:${COLOURS[name]}"></i>${name}</span>`);
  return `<div class="legend">${items.join("")}</div>`;
}

function caseList(results: readonly Result[]): string {
  const run = CASES.filter((benchCase) => results.some((result) => result.case === benchCase.name));
  return `<ul>${run.map(({ name, title }) => `<li><b>${name}</b>: ${escaped(title)}</li>`).join("")}</ul>`;
}

/** The page. */
export function renderHtml({ environment, results }: Report): string {
  const scaling = [...chunksizeFigures(results), ...workerFigures(results)];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>b2frame benchmark</title><style>${STYLE}</style></head><body>
<h1>b2frame benchmark</h1>
<p>Ratios of speeds, each the median of rounds in which all contenders took turns on the same data. Points tell more when pointed at.</p>
${tiles(results)}
${legend(results)}
${ratioFigures(results).map(figureHtml).join("\n")}
<div class="pair">${scaling.map(figureHtml).join("\n")}</div>
<h2>The cases</h2>${caseList(results)}
<h2>The run</h2><pre>${describeEnvironment(environment).map(escaped).join("\n")}\ndate        ${environment.date}</pre>
<details><summary>All results</summary>${tableHtml(results)}</details>
</body></html>
`;
}

export function writeHtml(path: string, report: Report): void {
  writeFileSync(path, renderHtml(report));
}
