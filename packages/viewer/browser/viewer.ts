/** `b2frame view` and Chromium, for tests: what goes wrong in the page is kept. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/release/find-chromium.mjs";

const PROGRAM = fileURLToPath(new URL("../../b2frame/dist/main.js", import.meta.url));

/** A served folder. */
export interface Served {
  readonly address: string;
  readonly process: ChildProcess;
  /** Asks it to end, as Ctrl-C does; gives the milliseconds that it took, and the exit code. */
  stop(): Promise<{ readonly milliseconds: number; readonly code: number | null }>;
}

/** Starts `b2frame view`. */
export async function serve(...paths: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, "view", ...paths, "--no-open"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      const found = /http:\S+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`b2frame view ended with ${code}`)));
  });
  return {
    address,
    process: child,
    stop: async () => {
      const began = performance.now();
      const code = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      return { code: await code, milliseconds: performance.now() - began };
    },
  };
}

/** Starts Chromium; it has no sandbox for root. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 });
}

/** A page of its own, and what it reported: errors, warnings, violations of the policy. */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly reported: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const reported: string[] = [];
  page.on("pageerror", (error) => reported.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") reported.push(message.text());
  });
  return { page, reported };
}

/** What is wrong for people who use the page with a screen reader or by keys. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

/** Colours of the canvas in the middle of the items of a plane that is shown whole. */
export function itemColours(
  page: Page,
  height: number,
  width: number,
  items: readonly (readonly [number, number])[],
): Promise<number[][]> {
  return page.evaluate(
    ([rows, columns, places]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(".picture canvas");
      if (canvas === null) throw new Error("no picture");
      // A copy: reading the page's own canvas again and again makes Chromium warn.
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext("2d", { willReadFrequently: true });
      if (context === null) throw new Error("no context");
      context.drawImage(canvas, 0, 0);
      const scale = Math.min(canvas.width / columns, canvas.height / rows);
      return places.map(([y, x]) => {
        const left = canvas.width / 2 + (x + 0.5 - columns / 2) * scale;
        const top = canvas.height / 2 + (y + 0.5 - rows / 2) * scale;
        return [...context.getImageData(Math.floor(left), Math.floor(top), 1, 1).data];
      });
    },
    [height, width, items] as const,
  );
}
