import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verifyFrame } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { stdio } from "../../src/index.js";
import { runCli } from "../run-cli.js";

const cwd = temporaryFolder();
/** Codec 39, JPEG 2000, which needs a plugin of python-blosc2. */
const unknownCodec = fileURLToPath(new URL("../../../../fixtures/python-objects/codec39.b2frame", import.meta.url));

it("tells what is not supported from what is damaged", () => {
  const report = verifyFrame(unknownCodec, stdio());
  expect(report).toMatchObject({ ok: false, problems: [], unsupported: [{ code: "BLOSC2_UNSUPPORTED_CODEC" }] });
  const verified = runCli(["verify", unknownCodec], { cwd });
  expect(verified.status).toBe(2);
  expect(verified.stdout.toString()).toMatch(/^not supported .*\n.*codec 39/);

  const damaged = join(cwd, "damaged.b2frame");
  const bytes = readFileSync(unknownCodec);
  bytes.fill(0xff, bytes.length - 20);
  writeFileSync(damaged, bytes);
  expect(runCli(["verify", damaged], { cwd }).status).toBe(1);

  copyFileSync(unknownCodec, join(cwd, "other.b2frame"));
  // Damage is the worse of two.
  expect(runCli(["verify", "other.b2frame", damaged], { cwd }).status).toBe(1);
  expect(runCli(["verify", damaged, "other.b2frame"], { cwd }).status).toBe(1);
});
