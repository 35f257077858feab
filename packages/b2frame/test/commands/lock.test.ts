import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk, createStore } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const ITEMS = 100;

/** Commands on a frame, which all take the lock. */
const COMMANDS = [
  "info FILE",
  "cat FILE",
  "cat FILE --start 5",
  "slice FILE part.npy",
  "unpack FILE all.raw",
  "unpack FILE all.raw --workers 1",
  "convert FILE other.b2nd",
  "verify FILE",
  "compact FILE",
];

describe("--lock", () => {
  it.each([true, false])("keeps to the lock of others, contiguous: %s", (contiguous) => {
    const file = contiguous ? "file.b2nd" : "directory.b2nd";
    const values = new Int32Array(ITEMS).fill(1);
    const urlpath = join(cwd, file);
    using array = asarray(values, { urlpath, contiguous, chunks: [ITEMS], blocks: [ITEMS], locking: true });
    const commands = COMMANDS.map((command) => command.replace("FILE", file).split(" "))
      // Worker threads are for super-chunks.
      .filter((command) => !command.includes("--workers"));
    array.set([0], values.subarray(0, 1));
    for (const command of commands) {
      const { status, stderr } = runCli([...command, "--lock", "0"], { cwd });
      expect([command.join(" "), status]).toEqual([command.join(" "), 2]);
      expect(stderr).toContain("another program has locked the frame");
      expect(stderr).toContain(".b2lock");
    }
    runGood(["cat", file], { cwd });
    array.flush();
    for (const command of commands) runGood([...command, "--lock", "0"], { cwd });
    {
      using _ = array.lock("shared");
      runGood(["verify", file, "--lock", "0"], { cwd });
      expect(runCli(["compact", file, "--lock", "0"], { cwd }).status).toBe(2);
    }
    array.set([1], new Int32Array([7]));
    expect(array.get([1]).data[0]).toBe(7);
  });

  it("is for super-chunks, too", () => {
    using schunk = createSChunk(join(cwd, "s.b2frame"), { typesize: 4, locking: true });
    schunk.appendData(new Int32Array(ITEMS));
    expect(runCli(["unpack", "s.b2frame", "s.raw", "--workers", "1", "--lock", "0"], { cwd }).status).toBe(2);
    schunk.flush();
    runGood(["unpack", "s.b2frame", "s.raw", "--workers", "1", "--lock", "0"], { cwd });
  });

  it("leaves nothing where nothing is, and is not for stores", () => {
    for (const command of ["info", "verify", "compact"]) {
      expect(runCli([command, "none.b2nd", "--lock", "1"], { cwd }).status).toBe(2);
    }
    expect(existsSync(join(cwd, "none.b2nd.b2lock"))).toBe(false);
    createStore(join(cwd, "store.b2z")).close();
    const { status, stderr } = runCli(["info", "store.b2z", "--lock", "1"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("--lock is for frames");
    expect(runCli(["compact", "s.b2frame", "--lock"], { cwd }).status).toBe(2);
    expect(runCli(["compact", "s.b2frame", "--lock", "-1"], { cwd }).status).toBe(2);
  });
});
