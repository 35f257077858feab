/** `b2frame copy` while this process writes. */
import * as fs from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk, openSChunk, verify } from "../../src/index.js";
import { runCli, runGood, startCli } from "../run-cli.js";

const folder = temporaryFolder();
const ITEMS = 1000;

describe.each([
  ["contiguous", true],
  ["sparse", false],
] as const)("copying a %s frame", (name, contiguous) => {
  it("beside a writer: every chunk of the copy is of the commit that its number names", async () => {
    const path = join(folder, `${name}.b2frame`);
    using writer = createSChunk(path, { typesize: 4, chunksize: 4 * ITEMS, contiguous, durability: "process" });
    let commit = 0;
    const write = (): void => {
      commit++;
      if (writer.nchunks < 20) writer.appendData(new Int32Array(ITEMS).fill(commit));
      // All chunks again, so that a copy of two commits would show.
      for (let i = 0; i < writer.nchunks; i++) writer.updateData(i, new Int32Array(ITEMS).fill(commit));
      writer.vlmeta.setValue("commit", commit);
      writer.flush();
    };
    for (let i = 0; i < 20; i++) write();
    for (let round = 0; round < 3; round++) {
      const before = commit;
      const copying = startCli(["copy", path, `copy-${name}`, "--durability", "process"], { cwd: folder });
      let status: number | null | undefined;
      let message = "";
      copying.stderr?.on("data", (text) => {
        message += text;
      });
      copying.on("close", (code) => {
        status = code;
      });
      while (status === undefined) {
        write();
        if (contiguous && commit % 50 === 0) writer.compact();
        await setImmediate();
      }
      // A sparse frame whose every chunk goes at each commit may be too fast for it, which it says.
      if (!contiguous && status === 2 && message.includes("later commit")) continue;
      expect([status, message]).toEqual([0, ""]);
      using copied = openSChunk(join(folder, `copy-${name}`));
      const number = Number(copied.vlmeta.getValue("commit"));
      expect(number).toBeGreaterThanOrEqual(before);
      for (const chunk of copied.iterChunks()) {
        expect(new Int32Array(chunk.buffer, chunk.byteOffset, ITEMS).every((item) => item === number)).toBe(true);
      }
      expect(verify(join(folder, `copy-${name}`)).ok).toBe(true);
    }
    expect(fs.readdirSync(folder).filter((entry) => entry.startsWith(".b2new-"))).toEqual([]);
  }, 60_000);
});

it("through pipes, and over a frame that is there", () => {
  const path = join(folder, "in.b2frame");
  createSChunk(path, { typesize: 4, chunksize: 40, data: Int32Array.of(1, 2, 3) }).close();
  const { status, stdout } = runCli(["copy", "-", "-"], { cwd: folder, input: fs.readFileSync(path) });
  expect(status).toBe(0);
  fs.writeFileSync(join(folder, "out.b2frame"), stdout);
  expect(JSON.parse(runGood(["copy", "in.b2frame", "out.b2frame", "--json"], { cwd: folder }))).toMatchObject({
    path: "out.b2frame",
    nbytes: 12,
    nchunks: 1,
  });
  const itself = runCli(["copy", "in.b2frame", "./in.b2frame"], { cwd: folder });
  expect([itself.status, itself.stderr]).toEqual([2, expect.stringContaining("is the input itself")]);
});
