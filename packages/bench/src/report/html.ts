/** The HTML report: one file that needs nothing else. @module */
import { writeFileSync } from "node:fs";
import { CASES } from "../cases/all-cases.js";
import { isUsual, type Result } from "../result.js";
import { chunksizeFigures } from "./chunksize-figures.js";
import { type Figure, WIDTH } from "./figure.js";
import { type Idea, ideasIn } from "./ideas.js";
import type { Report } from "./json.js";
import { shortNumber, shortParameters } from "./numbers.js";
import { goalsFigure, isMissed, peerFigures } from "./ratio-figures.js";
import { callsText, describeEnvironment } from "./table.js";

const STYLE = `
:root { color-scheme: light dark; --soft: #5b6472; --line: #d9dde3; --panel: #f6f7f9; --page: #fff; --text: #1b1f24; }
@media (prefers-color-scheme: dark) {
  :root { --soft: #a3adba; --line: #343b45; --panel: #1d2127; --page: #121417; --text: #e8eaed; }
}
body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; background: var(--page); color: var(--text); }
h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.3rem; margin: 2.6rem 0 .2rem; }
h3 { font-size: 1.08rem; margin: 2rem 0 .2rem; } h4 { font-size: .95rem; margin: 1rem 0 0; }
p, figcaption { color: var(--soft); margin: .2rem 0 .6rem; } p.effect { color: var(--text); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .8rem 0; } a { color: #2f7ed8; }
figure { margin: 0; min-width: 0; } svg { display: block; overflow: visible; max-width: 100%; height: auto; }
.scroll { overflow-x: auto; } .scroll svg { min-width: 640px; } .pair .scroll svg { min-width: 340px; }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
.tile { background: var(--panel); border-radius: 8px; padding: .6rem 1rem; }
.tile b { display: block; font-size: 1.4rem; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; } .pair figure { flex: 1 1 330px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; color: var(--soft); font-size: .9rem; margin: .2rem 0 .4rem; }
.legend i { display: inline-block; width: .75em; height: .75em; border-radius: 50%; margin-right: .4em; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.met { color: #2e9e5b; } .missed { color: #d1495b; font-weight: 600; } summary { cursor: pointer; margin: 2rem 0 .6rem; }
pre { background: var(--panel); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; font-size: .82rem; white-space: pre-wrap; }
`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function figureHtml({ title, caption, legend, svg }: Figure, level: 2 | 4): string {
  const entries = legend.map(([name, colour]) => `<span><i style="background:${colour}"></i>${escaped(name)}</span>`);
  const heading = title === "" ? "" : `<h${level}>${escaped(title)}</h${level}>`;
  const words = caption === "" ? "" : `<figcaption>${escaped(caption)}</figcaption>`;
  return `<figure>${heading}${words}<div class="legend">${entries.join("")}</div><div class="scroll">${svg}</div></figure>`;
}

/** Narrow figures stand side by side. */
function figuresHtml(figures: readonly Figure[], level: 2 | 4): string {
  const made = figures.map((figure) => figureHtml(figure, level)).join("\n");
  const narrow = figures.every(({ svg }) => Number(/ width="(\d+)"/.exec(svg)?.[1]) < WIDTH);
  return narrow ? `<div class="pair">${made}</div>` : made;
}

function ideaHtml({ id, title, effect, figures }: Idea): string {
  return `<section><h3 id="${id}">${escaped(title)}</h3><p class="effect">${escaped(effect)}</p>${figuresHtml(figures, 4)}</section>`;
}

function ideasHtml(ideas: readonly Idea[]): string {
  if (ideas.length === 0) return "";
  const links = ideas.map(({ id, title }) => `<a href="#${id}">${escaped(title)}</a>`);
  return `<h2>What each idea brings</h2><nav>${links.join("")}</nav>${ideas.map(ideaHtml).join("\n")}`;
}

function cell(text: string, numeric = false): string {
  return numeric ? `<td class="n">${escaped(text)}</td>` : `<td>${escaped(text)}</td>`;
}

function rowHtml(result: Result): string {
  const { goal, ratio, durability } = result;
  const met = goal === undefined ? undefined : !isMissed(result);
  const verdict =
    met === undefined ? "" : `<span class="${met ? "met" : "missed"}">${goal} ${met ? "met" : "missed"}</span>`;
  return `<tr>${[
    cell(result.case),
    cell(result.data),
    cell(shortParameters(result.parameters)),
    cell(result.workers === 0 ? result.backend : `${result.backend}, ${result.workers} workers`),
    cell(result.peerName),
    cell(durability === undefined ? "" : `${durability.ours} : ${durability.peer}`),
    cell(shortNumber(result.ours), true),
    cell(shortNumber(result.peer), true),
    cell(result.unit),
    cell(shortNumber(ratio), true),
    cell(result.ratioQuartiles.map(shortNumber).join(" - "), true),
    cell(callsText(result), true),
  ].join("")}<td>${verdict}</td></tr>`;
}

const HEADINGS: readonly (readonly [string, boolean])[] = [
  ["case", false],
  ["data", false],
  ["how much", false],
  ["backend", false],
  ["peer", false],
  ["durability", false],
  ["b2frame", true],
  ["peer", true],
  ["unit", false],
  ["ratio", true],
  ["quartiles", true],
  ["system calls", true],
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
  const met = withGoal.filter((result) => !isMissed(result));
  const faster = results.filter((result) => result.peerName === "c-blosc2" && isUsual(result));
  const made: string[] = [];
  if (withGoal.length > 0) made.push(tile(`${met.length} of ${withGoal.length}`, "goals met"));
  if (faster.length > 0) {
    const count = faster.filter((result) => result.ratio >= 1).length;
    made.push(tile(`${count} of ${faster.length}`, "comparisons where b2frame is as fast as C-Blosc2, or faster"));
  }
  return `<div class="tiles">${made.join("")}</div>`;
}

function caseList(results: readonly Result[]): string {
  const run = CASES.filter((benchCase) => results.some((result) => result.case === benchCase.name));
  return `<ul>${run.map(({ name, title }) => `<li><b>${name}</b>: ${escaped(title)}</li>`).join("")}</ul>`;
}

/** The page. */
export function renderHtml({ environment, results }: Report): string {
  const goals = goalsFigure(results);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>b2frame benchmark</title><style>${STYLE}</style></head><body>
<h1>b2frame benchmark</h1>
<p>Ratios of speeds, each the median of rounds in which all contenders took turns on the same data. Points tell more when pointed at.</p>
${tiles(results)}
${goals === undefined ? "" : figureHtml(goals, 2)}
${figuresHtml(peerFigures(results), 2)}
${ideasHtml(ideasIn(results))}
${figuresHtml(chunksizeFigures(results), 2)}
<h2>The cases</h2>${caseList(results)}
<h2>The run</h2><pre>${describeEnvironment(environment).map(escaped).join("\n")}\ndate        ${environment.date}</pre>
<details><summary>All results</summary>${tableHtml(results)}</details>
</body></html>
`;
}

export function writeHtml(path: string, report: Report): void {
  writeFileSync(path, renderHtml(report));
}
