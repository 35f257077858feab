import { tmpdir } from "node:os";
import { codecLibraries } from "@b2frame/node-codecs";
import { expect, it } from "vitest";
import { runGood } from "../run-cli.js";

it("--version --verbose tells the engine, and where each codec comes from", () => {
  const printed = runGood(["--version", "--verbose"], { cwd: tmpdir() });
  expect(printed).toContain(`node     ${process.versions.node}`);
  expect(printed).toMatch(/^engine {3}kernels$/m);
  for (const { codec, library } of codecLibraries()) expect(printed).toContain(`${codec.padEnd(8)} ${library}`);
});
