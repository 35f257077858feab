import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { defaultEngine } from "../../src/engine/select-engine.js";
import { ArgumentError } from "../../src/errors.js";

afterEach(() => vi.unstubAllEnvs());

describe("defaultEngine", () => {
  it("gives the engine that is asked for, and the same one again", () => {
    for (const engine of ["portable", "kernels"] as const) {
      expect(defaultEngine({ engine }).name).toBe(engine);
      expect(defaultEngine({ engine })).toBe(defaultEngine({ engine }));
    }
  });

  it("is the kernels' unless B2FRAME_ENGINE says otherwise, and an option beats that", () => {
    expect(defaultEngine().name).toBe("kernels");
    vi.stubEnv("B2FRAME_ENGINE", "portable");
    expect(defaultEngine().name).toBe("portable");
    expect(defaultEngine({ engine: "kernels" }).name).toBe("kernels");
    vi.stubEnv("B2FRAME_ENGINE", "");
    expect(defaultEngine().name).toBe("kernels");
  });

  it("refuses a name that is no engine's", () => {
    vi.stubEnv("B2FRAME_ENGINE", "turbo");
    expect(() => defaultEngine()).toThrow(ArgumentError);
    expect(() => defaultEngine({ engine: "turbo" as "portable" })).toThrow(ArgumentError);
  });

  it("makes an engine of its own for other registries", () => {
    expect(defaultEngine({ codecs: defaultCodecs.clone() })).not.toBe(defaultEngine());
  });
});
