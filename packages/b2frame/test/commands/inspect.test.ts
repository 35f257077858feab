import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk } from "../../src/index.js";
import { corpusEntry, fixturePath } from "../fixture.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();

function json(...args: string[]) {
  return JSON.parse(runGood([...args, "--json"], { cwd }));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("info", () => {
  it.each(["stdio", "mmap"])("describes an array that C-Blosc2 wrote, through %s", (io) => {
    const entry = corpusEntry("b2nd/3d");
    const facts = json("info", fixturePath("b2nd/3d.b2nd"), "--io", io);
    expect(facts).toMatchObject({ kind: "array", layout: "contiguous", typesize: 2, codec: "blosclz", clevel: 5 });
    const { shape, chunkshape: chunks, blockshape: blocks, dtype, cbytes } = entry;
    expect(facts.array).toEqual({ shape, chunks, blocks, dtype });
    expect(facts).toMatchObject({
      cbytes,
      nchunks: 18,
      storedBytes: readFileSync(fixturePath("b2nd/3d.b2nd")).byteLength,
    });
    expect(facts.filters).toEqual([{ name: "shuffle", meta: 0 }]);
  });

  it("describes a sparse frame, and metalayers that hold no msgpack", () => {
    const facts = json("info", fixturePath("sframes/plain.b2frame"));
    const { nbytes, typesize } = corpusEntry("sframe/plain");
    expect(facts).toMatchObject({ kind: "super-chunk", layout: "sparse", nbytes, itemCount: nbytes / typesize });
    // The first byte, "s", is an integer in msgpack, and ten bytes follow.
    expect(facts.meta).toEqual([{ name: "m", byteLength: 11, hex: "737061727365206d657461" }]);
  });

  it("decodes metalayers, and lets none of their bytes command the terminal", () => {
    using file = createSChunk(join(cwd, "meta.b2frame"), { meta: { plain: Uint8Array.of(0x93, 1, 2, 3) } });
    file.appendData(new Float32Array(100));
    file.vlmeta.setValue("evil\u001b[2J", { text: "\u001b]0;owned\u0007", when: 2n ** 60n });
    file.close();
    const facts = json("info", "meta.b2frame");
    expect(facts.meta).toEqual([{ name: "plain", byteLength: 4, value: [1, 2, 3] }]);
    expect(facts.vlmeta[0].value).toEqual({ text: "\u001b]0;owned\u0007", when: "1152921504606846976" });
    const text = runGood(["info", "meta.b2frame"], { cwd });
    expect(text).toContain("evil\\x1b[2J");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it("shows people the same", () => {
    const text = runGood(["info", fixturePath("b2nd/2d.b2nd")], { cwd });
    expect(text.split("\n").slice(1, 5)).toEqual([
      expect.stringMatching(/^shape +\(33, 47\)$/),
      expect.stringMatching(/^dtype +<f8$/),
      expect.stringMatching(/^chunks +12 of \(10, 20\), 1\.56 KiB each$/),
      expect.stringMatching(/^blocks +\(4, 7\), 224 B each$/),
    ]);
  });
});

describe("ls", () => {
  it("lists the chunks and what is special about them", () => {
    const { nchunks } = corpusEntry("frame/special-mix");
    const chunks = json("ls", fixturePath("frames/special-mix.b2frame"));
    expect(chunks).toHaveLength(nchunks);
    expect(new Set(chunks.map(({ special }: { special: string | null }) => special))).toContain("zeros");
    const lines = runGood(["ls", fixturePath("frames/special-mix.b2frame")], { cwd })
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(1 + nchunks);
    expect(lines[0]).toMatch(/^chunk +position +nbytes +cbytes +ratio +special$/);
    expect(new Set(lines.slice(1).map((line) => line.trim().split(/ +/).length))).toEqual(new Set([5, 6]));
  });

  it("has a list for no chunks as well", () => {
    expect(json("ls", fixturePath("frames/empty.b2frame"))).toEqual([]);
  });
});

describe("cat", () => {
  it.each([
    ["frames/set-slice.b2frame", "frame/set-slice"],
    ["frames/varchunks.b2frame", "frame/varchunks"],
    ["sframes/edited.b2frame", "sframe/edited"],
  ])("gives the bytes of %s", (file, id) => {
    const { stdout, status } = runCli(["cat", fixturePath(file)], { cwd });
    expect(status).toBe(0);
    expect(sha256(stdout)).toBe(corpusEntry(id).sha256);
  });

  it.each(["2d", "5d", "zero-dim", "caterva", "bytes7"])("gives the items of the array %s in C order", (name) => {
    const { stdout } = runCli(["cat", fixturePath(`b2nd/${name}.b2nd`)], { cwd });
    expect(sha256(stdout)).toBe(corpusEntry(`b2nd/${name}`).array_sha256);
  });

  it("gives parts", () => {
    const numbers = Uint16Array.from({ length: 5000 }, (_, i) => i);
    createSChunk(join(cwd, "n.b2frame"), { data: numbers, chunksize: 1000 }).close();
    const items = (...args: string[]) => {
      const { stdout } = runCli(["cat", "n.b2frame", ...args], { cwd });
      return [...new Uint16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength))];
    };
    expect(items("--start", "498", "--stop", "1503")).toEqual([...numbers.subarray(498, 1503)]);
    expect(items("--start", "-3")).toEqual([4997, 4998, 4999]);
    expect(items("--stop", "2")).toEqual([0, 1]);
    expect(items("--start", "9", "--stop", "3")).toEqual([]);
    expect(items("--chunk", "9")).toEqual([...numbers.subarray(4500)]);
    const box = runCli(["cat", fixturePath("b2nd/2d.b2nd"), "--start", "3,5", "--stop", "9,-40"], { cwd }).stdout;
    expect(box.byteLength).toBe((9 - 3) * (47 - 40 - 5) * 8);
    expect(runCli(["cat", "n.b2frame", "--start", "1,2"], { cwd }).status).toBe(2);
    expect(runCli(["cat", "n.b2frame", "--chunk", "10"], { cwd }).status).toBe(2);
  });
});

describe("verify", () => {
  it("finds frames of C-Blosc2 good, and says what is wrong with others", () => {
    const good = fixturePath("frames/dict.b2frame");
    const bytes = readFileSync(good);
    const { position, cratio } = json("ls", good)[0];
    expect(cratio).toBeGreaterThan(1);
    // The positions of the blocks, which follow the chunk's header.
    bytes.fill(0xff, position + 32, position + 36);
    writeFileSync(join(cwd, "bad.b2frame"), bytes);
    writeFileSync(join(cwd, "no.b2frame"), "not a frame at all");
    const { status, stdout, stderr } = runCli(["verify", good, "bad.b2frame", "no.b2frame", "--json"], { cwd });
    expect(stderr).toBe("");
    expect(status).toBe(1);
    const reports = JSON.parse(stdout.toString());
    expect(reports.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false]);
    expect(reports[1].problems[0].structure).toMatch(/chunk 0/);
    const text = runCli(["verify", good, "bad.b2frame"], { cwd });
    expect(text.status).toBe(1);
    expect(text.stdout.toString()).toMatch(/^good .*\nBAD +bad\.b2frame +\d+ problems?\n {6}chunk 0/);
    expect(runCli(["verify", "bad.b2frame", "--quiet"], { cwd }).stdout.toString()).toBe("");
    expect(runCli(["verify", good, fixturePath("sframes/plain.b2frame")], { cwd }).status).toBe(0);
  });

  it("looks at the other files when one is not there", () => {
    const { status, stdout, stderr } = runCli(["verify", "gone", fixturePath("b2nd/2d.b2nd")], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: gone: /);
    expect(stdout.toString()).toMatch(/^good/);
  });
});

describe("a damaged file", () => {
  it("is exit code 1 and one line, whatever the command", () => {
    const cut = readFileSync(fixturePath("b2nd/2d.b2nd")).subarray(0, -100);
    writeFileSync(join(cwd, "cut.b2nd"), cut);
    for (const args of [
      ["info", "cut.b2nd"],
      ["ls", "cut.b2nd"],
      ["cat", "cut.b2nd"],
      ["unpack", "cut.b2nd", "x"],
    ]) {
      const { status, stderr, stdout } = runCli(args, { cwd });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^b2frame: cut\.b2nd: [^\n]+\n$/);
      expect(stdout.byteLength).toBe(0);
    }
    expect(runCli(["info", "-"], { cwd, input: cut }).status).toBe(1);
    const debug = runCli(["info", "cut.b2nd"], { cwd, env: { B2FRAME_DEBUG: "1" } });
    expect(debug.stderr).toMatch(/FormatError: .*\n +at /);
  });
});

describe("cat of an array", () => {
  const name = join(cwd, "grid.b2nd");

  it("prints what NumPy prints, if it is for people, and bytes if it is not", () => {
    asarray(
      Int16Array.from({ length: 60 * 50 }, (_, i) => i),
      { shape: [60, 50], urlpath: name },
    ).close();
    // numpy.array2string(numpy.arange(3000, dtype="i2").reshape(60, 50), edgeitems=2)
    const edges = ["[[   0    1 ...   48   49]", " [  50   51 ...   98   99]", " ...", " [2900 2901 ... 2948 2949]"];
    expect(runGood(["cat", name, "--text", "--edge", "2"], { cwd })).toBe(
      `${[...edges, " [2950 2951 ... 2998 2999]]"].join("\n")}\n`,
    );
    const box = ["--start", "1,48", "--stop", "3"];
    expect(runGood(["cat", name, "--text", ...box], { cwd })).toBe("[[ 98  99]\n [148 149]]\n");
    const { stdout } = runCli(["cat", name, ...box], { cwd });
    expect([stdout.readInt16LE(0), stdout.readInt16LE(6), stdout.byteLength]).toEqual([98, 149, 8]);
    expect(runCli(["cat", name, "--raw"], { cwd }).stdout.byteLength).toBe(6000);
  });

  it("takes the width that there is", () => {
    const narrow = runGood(["cat", name, "--text", "--start", "0", "--stop", "1"], { cwd, env: { COLUMNS: "60" } });
    expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(55);
  });

  it("refuses what can't be printed", () => {
    for (const args of [
      [name, "--raw", "--text"],
      [fixturePath("sframes/plain.b2frame"), "--text"],
    ]) {
      expect(runCli(["cat", ...args], { cwd })).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/--raw goes without --text|holds no array/),
      });
    }
  });
});
