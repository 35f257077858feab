import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { defaultCodecs } from "@b2frame/core";
import { CodecRegistry } from "@b2frame/core/codec";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { originOf } from "../src/chosen-codec.js";
import { codecFrom, codecLibraries } from "../src/codec-origins.js";
import { nodeZstdCodec } from "../src/node-zstd-codec.js";
import { registerNodeCodecs } from "../src/register-node-codecs.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const honoursDictionaries = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19);

const folder = temporaryFolder();

describe("registerNodeCodecs", () => {
  it("registers the first origin that works, twice if it is called twice", () => {
    const registry = defaultCodecs.clone();
    registerNodeCodecs(registry);
    registerNodeCodecs(registry);
    expect([4, 5].map((id) => originOf(registry.byId(id)))).toEqual(codecLibraries().map(({ origin }) => origin));
  });

  it("works on an empty registry", () => {
    const registry = new CodecRegistry();
    registerNodeCodecs(registry);
    expect(registry.keys()).toEqual(["zlib", "zstd"]);
  });

  it("takes only from the origins that are given", () => {
    const registry = new CodecRegistry();
    registerNodeCodecs(registry, { origins: ["portable"] });
    expect([4, 5].map((id) => originOf(registry.byId(id)))).toEqual(["portable", "portable"]);
  });

  it.each([
    [{ origin: ["node"] }, /origins/],
    [{ origins: ["npm"] }, /program, system, node, portable, found npm/],
    [{ origins: [] }, /at least one/],
  ])("refuses %j by name", (options, message) => {
    expect(() => registerNodeCodecs(new CodecRegistry(), options as never)).toThrow(message);
  });

  it("takes node:zlib's zstd exactly where it honours dictionaries", () => {
    expect(nodeZstdCodec() !== undefined).toBe(honoursDictionaries);
    if (!honoursDictionaries && major < 22) expect("zstdCompressSync" in zlib).toBe(false);
    expect(codecFrom("zstd", "node")).toBe(nodeZstdCodec());
  });

  it("does without koffi where that is not installed, and says so", () => {
    const block = join(folder, "block.cjs");
    writeFileSync(
      block,
      `const Module = require("node:module"); const find = Module._resolveFilename;
       Module._resolveFilename = function (name, ...rest) {
         if (name === "koffi") throw new Error("Cannot find module 'koffi'");
         return find.call(this, name, ...rest);
       };`,
    );
    const entry = new URL("../dist/index.js", import.meta.url).href;
    const program = `const { codecLibraries } = await import(${JSON.stringify(entry)}); console.log(JSON.stringify(codecLibraries()));`;
    const printed = execFileSync(process.execPath, ["--require", block, "--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    const [zlibFound, zstdFound] = JSON.parse(printed);
    expect(zlibFound.origin).toBe("node");
    expect(zstdFound.origin).toBe(honoursDictionaries ? "node" : "portable");
    expect(zlibFound.passedOver.map(({ reason }: { reason: string }) => reason).join()).toContain("koffi");
  });
});
