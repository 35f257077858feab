import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeNpy } from "@b2frame/core";
import { interpolateViridis } from "d3-scale-chromatic";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_NAME, VOLUME_SHAPE, volumeAt, writeSamples } from "./samples.js";
import { barriers, itemColours, launch, newPage, type Served, serve } from "./viewer.js";

const [DEPTH, HEIGHT, WIDTH] = VOLUME_SHAPE;
let folder: string;
let browser: Browser;
let served: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "b2frame-viewer-"));
  await writeSamples(folder);
  served = await serve(folder);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens one of the samples by a link. */
async function openSample(name: string, query = "", options = {}): Promise<{ page: Page; reported: string[] }> {
  const { page, reported } = await newPage(browser, options);
  const label = `${folder.split("/").at(-1)}/${name}`;
  await page.goto(`${served.address}&path=${encodeURIComponent(label)}${query}`);
  await page.getByRole("heading", { level: 2, name: label }).waitFor();
  return { page, reported };
}

/** A colour of d3's, as a canvas has it. */
function viridis(index: number): number[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(interpolateViridis(index / 255).slice(at, at + 2), 16),
  );
  return [red, green, blue, 255];
}

const settle = (page: Page) => page.locator('.picture canvas[aria-busy="false"]').waitFor();

describe("a picture", () => {
  /** The volume's plane 5 between two ends, as the colour table has it. */
  const expected = (y: number, x: number, low: number, high: number, z = 5): number[] =>
    viridis(Math.max(0, Math.min(255, Math.floor(((volumeAt(z, y, x) - low) / (high - low)) * 256))));
  const places = [
    [0, 0],
    [3, 70],
    [59, 79],
    [30, 1],
  ] as const;

  it("has the colours that the values and the table give", async () => {
    const { page, reported } = await openSample("volume.b2nd", "&slice=5,y0,x0&range=400..700");
    await expect
      .poll(() => itemColours(page, HEIGHT, WIDTH, places))
      .toEqual(places.map(([y, x]) => expected(y, x, 400, 700)));
    expect(reported).toEqual([]);
  });

  it("follows the slider, and says so in the address", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,y0,x0&range=400..2400");
    await page.getByRole("slider", { name: "axis 0" }).press("ArrowRight");
    await page.getByRole("slider", { name: "axis 0" }).press("ArrowRight");
    await expect
      .poll(() => itemColours(page, HEIGHT, WIDTH, places))
      .toEqual(places.map(([y, x]) => expected(y, x, 400, 2400, 7)));
    await expect.poll(() => page.url()).toContain("slice=7,y0,x0");
    await page.getByRole("slider", { name: "axis 0" }).press("End");
    await expect.poll(() => page.url()).toContain(`slice=${DEPTH - 1},y0,x0`);
  });

  it("of other axes is transposed and flipped as asked", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,x0,y0&range=400..700&flipx=1");
    const mirrored = places.map(([y, x]) => [x, HEIGHT - 1 - y] as const);
    await expect
      .poll(() => itemColours(page, WIDTH, HEIGHT, mirrored))
      .toEqual(places.map(([y, x]) => expected(y, x, 400, 700)));
  });

  it("reads only the blocks of its plane", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,y0,x0");
    // Blocks of 1 x 30 x 80: two of 48 hold a plane.
    await page.getByText("This slice: 2 of 48 blocks").waitFor();
  });

  it("tells the value under the cursor, which keys move", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,y0,x0");
    await settle(page);
    const canvas = page.locator(".picture canvas");
    await canvas.focus();
    await canvas.press("ArrowRight");
    await expect.poll(() => page.locator(".readout").textContent()).toBe(`[30, 41] = ${volumeAt(5, 30, 41)}`);
    await canvas.press("ArrowUp");
    await expect.poll(() => page.locator(".readout").textContent()).toBe(`[29, 41] = ${volumeAt(5, 29, 41)}`);
  });

  it("plays, and stops", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=0,y0,x0");
    await page.getByRole("button", { name: "Play axis 0" }).click();
    await expect.poll(() => Number(/slice=(\d+)/.exec(page.url())?.[1])).toBeGreaterThan(2);
    await page.getByRole("button", { name: "Stop axis 0" }).click();
  });
});

describe("values of every type", () => {
  it.each([
    ["big-endian.b2nd", ["258", "-2", "7", "8"]],
    ["half.b2nd", ["1", "-2", "NaN", "0.333251953125"]],
    ["uint64.b2nd", ["0", "1", "9223372036854775809", "18446744073709551615"]],
    ["words.b2nd", ["one", "two", "three", "b>x"]],
    ["scalar.b2nd", ["42.5"]],
  ])("%s", async (name, expected) => {
    const { page, reported } = await openSample(name, "&as=table");
    await expect
      .poll(() => page.locator("td").allTextContents())
      .toEqual(name === "words.b2nd" ? ["one", "two", "three", "<b>x"] : expected);
    expect(reported).toEqual([]);
  });

  it("records have a column for each field, whatever that is called", async () => {
    const { page } = await openSample("records.b2nd");
    await expect.poll(() => page.locator("thead th").allTextContents()).toEqual(["axis 0", "id", "<script>"]);
    // Bytes 0, 1, 2, 3 as a little-endian integer.
    expect(await page.locator("td").first().textContent()).toBe(String(0x03020100));
  });

  it("complex ones are shown by magnitude", async () => {
    const { page } = await openSample("complex.b2nd");
    await settle(page);
    await page.locator(".picture canvas").focus();
    await page.locator(".picture canvas").press("ArrowRight");
    const at = 2 * (15 * 40 + 21);
    const text = (await page.locator(".readout").textContent()) ?? "";
    expect(Number(text.split("= ")[1])).toBeCloseTo(Math.hypot(Math.sin(at), Math.sin(at + 1)), 5);
  });

  it("nothing but NaN, nothing at all, and nothing written", async () => {
    await (await openSample("nan.b2nd")).page.getByText("All values of this slice are NaN.").waitFor();
    await (await openSample("empty.b2nd")).page.getByText("This array is empty").waitFor();
    await (await openSample("unwritten.b2nd", "&tab=chunks")).page
      .getByText("never written", { exact: false })
      .first()
      .waitFor();
  });

  it("bytes of a super-chunk", async () => {
    const { page } = await openSample("bytes.b2frame");
    await expect.poll(() => page.locator(".hex").textContent()).toMatch(/^00000000 {2}00 01 02 03/);
  });
});

describe("files from strangers", () => {
  it("names are text, and run nothing", async () => {
    const { page, reported } = await openSample(HOSTILE_NAME, "&tab=info");
    await page.getByText('"text": "<b>not bold</b>"').waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it.each([
    ["foreign.b2nd", /magic/],
    ["cut.b2nd", /cut\.b2nd|files\/\d+/],
  ])("%s is refused with the reason", async (name, reason) => {
    const { page } = await openSample(name);
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(reason);
  });

  it("a damaged chunk fails alone", async () => {
    const { page, reported } = await openSample("damaged.b2nd", "&slice=9,y0,x0");
    await page.getByText("This slice can't be read").waitFor();
    await page.getByRole("slider", { name: "axis 0" }).press("Home");
    await settle(page);
    await expect.poll(() => itemColours(page, HEIGHT, WIDTH, [[59, 0]])).toEqual([viridis(255)]);
    expect(reported).toEqual([]);
  });

  it("ten million chunks", async () => {
    const { page } = await openSample("chunks-10-million.b2nd", "&tab=chunks");
    await page.getByText("10,000,000 chunks").waitFor();
    await page.getByRole("tab", { name: "Data" }).click();
    await settle(page);
  });
});

describe("opening", () => {
  it("by drop and by picker, several at once", async () => {
    const { page, reported } = await newPage(browser);
    await page.goto(served.address);
    await page.locator("input[type=file]").setInputFiles([join(folder, "volume.b2nd"), join(folder, "scalar.b2nd")]);
    await page.getByRole("heading", { level: 2, name: "volume.b2nd" }).waitFor();
    await page.getByRole("treeitem", { name: "scalar.b2nd" }).click();
    await page.getByText("42.5").waitFor();
    const bytes = readFileSync(join(folder, "half.b2nd")).toString("base64");
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], "dropped.b2nd"));
      return transfer;
    }, bytes);
    await page.dispatchEvent(".app", "drop", { dataTransfer: data });
    await page.getByRole("heading", { level: 2, name: "dropped.b2nd" }).waitFor();
    expect(reported).toEqual([]);
  });

  it("saves the slice as NumPy reads it", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,y0,x0");
    await page.getByText("Export and code").click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save .npy" }).click();
    const path = join(folder, "saved");
    await (await download).saveAs(path);
    const saved = decodeNpy(readFileSync(path));
    expect([saved.shape, saved.dtype.str, saved.get(59, 79)]).toEqual([[HEIGHT, WIDTH], "<i2", volumeAt(5, 59, 79)]);
    rmSync(path);
  });

  it("computes numbers of all items", async () => {
    const { page } = await openSample("volume.b2nd", "&tab=stats");
    await page.getByRole("button", { name: "Read all chunks" }).click();
    const mean = ((DEPTH - 1) * 100) / 2 + ((HEIGHT - 1) * 3) / 2 - (WIDTH - 1) / 2;
    await page.getByText(String(mean), { exact: true }).waitFor();
    await page.locator("dd", { hasText: String(volumeAt(0, 0, WIDTH - 1)) }).waitFor();
    await page.locator("dd", { hasText: String(volumeAt(DEPTH - 1, HEIGHT - 1, 0)) }).waitFor();
  });
});

describe("for everybody", () => {
  const views = [
    ["volume.b2nd", ""],
    ["wave.b2nd", ""],
    ["records.b2nd", ""],
    ["scan.b2nd", "&tab=info"],
    ["scan.b2nd", "&tab=chunks"],
    ["scan.b2nd", "&tab=stats"],
    ["foreign.b2nd", ""],
  ] as const;

  it.each(views)("%s %s has no barrier, light, dark, and 400 pixels wide", async (name, query) => {
    for (const options of [
      { colorScheme: "light" },
      { colorScheme: "dark", viewport: { width: 400, height: 800 } },
    ] as const) {
      const { page, reported } = await openSample(name, query, options);
      await page.waitForTimeout(400);
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (name !== "foreign.b2nd") expect(reported).toEqual([]);
      await page.context().close();
    }
  });

  it("can be used by keys alone", async () => {
    const { page } = await openSample("volume.b2nd", "&slice=5,y0,x0");
    await page.getByRole("tab", { name: "Data" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Info");
    await page.keyboard.press("ArrowRight");
    await page.locator(".chunk-map").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.getByText("[0:8, 0:60, 0:80]").waitFor();
    await page.locator("[role=treeitem][aria-selected=true]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: HOSTILE_NAME }).waitFor();
  });
});

it("b2frame view ends within a second of Ctrl-C, with a page open", async () => {
  writeFileSync(join(folder, "other.b2nd"), readFileSync(join(folder, "volume.b2nd")));
  const other = await serve(join(folder, "other.b2nd"));
  const { page } = await newPage(browser);
  await page.goto(other.address);
  await settle(page);
  const { code, milliseconds } = await other.stop();
  expect(code).toBe(0);
  expect(milliseconds).toBeLessThan(1000);
});
