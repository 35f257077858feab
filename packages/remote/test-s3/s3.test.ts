import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asarray } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { createStore } from "@b2frame/stores";
import { noise } from "@b2frame/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRemoteArray, RemoteArray } from "../src/index.js";
import { s3Files, s3Source } from "../src/s3/index.js";
import { openRemoteSparse, openRemoteStore } from "../src/stores/index.js";
import { access, client, endpoint, keys, put } from "./s3-server.js";

const values = noise(2_000_000);
const SHAPE = [200, 100, 100];
const ODD_KEY = "a b/größe+(1)*'!~.b2nd";
let folder: string;

function frame(seed = 0): Uint8Array {
  using array = asarray(
    values.map((byte) => byte ^ seed),
    { shape: SHAPE, chunks: [120, 100, 100], blocks: [10, 50, 100], cparams: { codec: "lz4" } },
  );
  return array.toCframe();
}

/** Runs the built command. */
function run(...args: string[]): Promise<{ status: number | null; stdout: Buffer; stderr: string }> {
  const main = fileURLToPath(new URL("../../b2frame/dist/main.js", import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { cwd: folder });
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => out.push(data));
  child.stderr.on("data", (data: Buffer) => errors.push(data));
  return new Promise((resolve) => {
    child.on("close", (status) =>
      resolve({ status, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString() }),
    );
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "b2frame-s3-test-"));
  await put("scans");
  await put("scans/v.b2nd", frame());
  await put(`scans/${ODD_KEY}`, frame());
  const store = join(folder, "run.b2d");
  {
    using made = createStore(store, stdio());
    for (const key of ["/a", "/deep/b"]) made.set(key, values.subarray(0, 10_000), { shape: [100, 100] });
  }
  const sparse = join(folder, "sparse.b2nd");
  asarray(values, { shape: SHAPE, chunks: [50, 100, 100], urlpath: sparse, io: stdio(), contiguous: false }).close();
  for (const name of ["run.b2d", "sparse.b2nd"]) {
    for (const entry of readdirSync(join(folder, name), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) await put(`scans/${path.slice(folder.length + 1)}`, readFileSync(path));
    }
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("frames in S3", () => {
  it.each(["v.b2nd", ODD_KEY])("are read by ranges: %s", async (key) => {
    using array = await openRemoteArray(s3Source(`s3://scans/${key}`, access));
    expect(array.stats.requests).toBeLessThanOrEqual(2);
    const crop = await array.getSlice([15, 60], [25, 70]);
    expect([...crop.bytes.subarray(0, 100)]).toEqual([...values.subarray(156_000, 156_100)]);
  });

  it("that are replaced are stale", async () => {
    await put("scans/changing.b2nd", frame());
    using array = await openRemoteArray(s3Source("s3://scans/changing.b2nd", access));
    await put("scans/changing.b2nd", frame(1));
    await expect(array.getSlice([190], [191])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
    await array.refresh();
    expect((await array.getSlice([190], [191])).bytes[0]).toBe((values[1_900_000] as number) ^ 1);
  });

  it("keys may be asked for with each request, and wrong ones are refused by name", async () => {
    let asked = 0;
    const source = s3Source("s3://scans/v.b2nd", {
      ...access,
      keys: () => {
        asked++;
        return Promise.resolve(keys);
      },
    });
    using array = await openRemoteArray(source);
    expect(asked).toBe(array.stats.requests);
    for (const other of [undefined, { ...keys, secretAccessKey: "wrong" }]) {
      const denied = openRemoteArray(s3Source("s3://scans/v.b2nd", { ...access, keys: other }));
      await expect(denied).rejects.toMatchObject({ details: { status: 403, reason: "denied" } });
    }
    const missing = openRemoteArray(s3Source("s3://scans/nothing", access));
    await expect(missing).rejects.toMatchObject({ code: "BLOSC2_IO_NOT_FOUND" });
  });

  it("are opened by signed URLs", async () => {
    const signed = await client.sign(`${endpoint}/scans/v.b2nd?X-Amz-Expires=60`, { aws: { signQuery: true } });
    using array = await openRemoteArray(signed.url);
    expect((await array.getSlice([0], [1])).bytes[0]).toBe(values[0]);
  });
});

it("a .b2d store is listed", async () => {
  using store = await openRemoteStore(s3Files("s3://scans/run.b2d", access));
  expect(await store.keys()).toEqual(["/a", "/deep/b"]);
  const array = await store.openArray("/deep/b");
  expect((await array.getSlice([7], [8])).bytes).toEqual(values.slice(700, 800));
  const denied = s3Files("s3://scans/run.b2d", { ...access, keys: undefined });
  await expect(openRemoteStore(denied)).rejects.toMatchObject({ details: { status: 403 } });
});

it("a sparse frame is read by the files of its chunks", async () => {
  const array = await openRemoteSparse(s3Files("s3://scans/sparse.b2nd", access));
  if (!(array instanceof RemoteArray)) throw new Error("expected an array");
  expect((await array.get([120, 3])).bytes).toEqual(values.slice(1_200_300, 1_200_400));
  array.close();
});

describe("the command", () => {
  it("reads s3:// URLs as who the environment says", async () => {
    const facts = JSON.parse((await run("info", "s3://scans/v.b2nd", "--json")).stdout.toString());
    expect(facts.array.shape).toEqual(SHAPE);
    const { stdout, stderr } = await run(
      "cat",
      `s3://scans/${ODD_KEY}`,
      "--start",
      "5,5",
      "--stop",
      "6,6",
      "--verbose",
    );
    expect(stdout).toEqual(Buffer.from(values.subarray(50_500, 50_600)));
    expect(stderr).toMatch(/\d+ requests, \d+ bytes/);
  });

  it("names what is wrong", async () => {
    const missing = await run("info", "s3://scans/nothing");
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining("404")]);
    const elsewhere = await run("info", "s3://scans/v.b2nd", "--endpoint", "http://127.0.0.1:9");
    expect([elsewhere.status, elsewhere.stderr]).toEqual([2, expect.stringContaining("network failed")]);
    expect((await run("info", "s3://B")).stderr).toContain("expected s3://bucket/key");
  });
});
