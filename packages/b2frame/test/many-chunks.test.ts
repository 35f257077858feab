/** Arrays of millions of chunks: what reading them takes follows what is read, not how many chunks there are. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { zeros } from "../src/index.js";
import { runGood } from "./run-cli.js";

const COUNT = 3_000_000;
const MAX_MEMORY = 200 << 20;
const PROGRAM = `
  import { openArray } from "b2frame";
  const array = openArray(process.argv[1]);
  const items = array.get([]).data;
  array.close();
  const { maxRSS } = process.resourceUsage();
  console.log(JSON.stringify({ count: items.length, other: items.filter((item) => item !== 0).length, memory: maxRSS * 1024 }));
`;

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const folder = temporaryFolder();

it("an array of 3,000,000 chunks of one item is read whole in little memory", () => {
  const urlpath = join(folder, "many.b2nd");
  zeros([COUNT], { dtype: "uint8", chunks: [1], blocks: [1], urlpath }).close();
  expect(statSync(urlpath).size).toBeLessThan(1000);
  const args = ["--max-old-space-size=64", "--input-type=module", "-e", PROGRAM, "--", urlpath];
  const { count, other, memory } = JSON.parse(execFileSync(process.execPath, args, { cwd: PACKAGE, encoding: "utf8" }));
  expect([count, other]).toEqual([COUNT, 0]);
  expect(memory).toBeLessThan(MAX_MEMORY);
  runGood(["unpack", "many.b2nd", "many.raw"], { cwd: folder });
  expect(readFileSync(join(folder, "many.raw")).equals(Buffer.alloc(COUNT))).toBe(true);
});
