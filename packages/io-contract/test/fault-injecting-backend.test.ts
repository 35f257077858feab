import { type IoBackend, type IoHandle, memory } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { describe, expect, it } from "vitest";
import { type Fault, faultInjecting } from "../src/index.js";

function contents(backend: IoBackend, path: string): Uint8Array {
  const handle = backend.open(path, "r");
  return handle.read(0, handle.size()).slice();
}

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

const STEPS: readonly (readonly [kind: Fault["kind"], step: (handle: IoHandle, backend: IoBackend) => unknown])[] = [
  ["write", (handle) => handle.write(0, Uint8Array.of(1, 2, 3, 4))],
  ["read", (handle) => handle.read(0, 2)],
  ["read", (handle) => handle.readInto(0, new Uint8Array(2))],
  ["size", (handle) => handle.size()],
  ["truncate", (handle) => handle.truncate(3)],
  ["flush", (handle) => handle.flush()],
  ["rename", (_handle, backend) => backend.rename("a", "b")],
  ["exists", (_handle, backend) => backend.exists("b")],
  ["remove", (_handle, backend) => backend.remove("b")],
];

describe("faultInjecting", () => {
  it("passes everything on when nothing is planned, and counts it", () => {
    const backend = faultInjecting(memory(), {});
    const handle = openChecked(backend, "a", "w+");
    for (const [, step] of STEPS) step(handle, backend);
    expect(backend.openHandles).toBe(1);
    handle.close();
    expect(backend.openHandles).toBe(0);
    expect(backend.counts.get("read")).toBe(2);
    expect(backend.total).toBe(STEPS.length + 2);
    expect(backend.changes).toBe(6);
    expect(backend.log).toEqual([]);
  });

  it.each(["EIO", "ENOSPC", "EMFILE"])("each operation can fail with %s, and only that one", (errno) => {
    STEPS.forEach(([kind], index) => {
      const at = STEPS.slice(0, index + 1).filter(([each]) => each === kind).length;
      const backend = faultInjecting(memory(), { faults: [{ kind, at, errno }] });
      const handle = backend.open("a", "w+");
      for (const [i, [, step]] of STEPS.entries()) {
        const error = thrownBy(() => step(handle, backend));
        if (i < index) expect(error).toBeUndefined();
        if (i !== index) continue;
        expect(error).toMatchObject({
          code: "BLOSC2_IO_FAILED",
          details: { operation: kind, errno },
          cause: { code: errno },
        });
      }
    });
  });

  it("a failing open opens nothing; a failing close closes all the same", () => {
    const backend = faultInjecting(memory(), {
      faults: [
        { kind: "open", at: 1, errno: "EMFILE" },
        { kind: "close", at: 1, errno: "EIO" },
      ],
    });
    expect(() => openChecked(backend, "a", "w+")).toThrow(/EMFILE/);
    expect(backend.exists("a")).toBe(false);
    const handle = openChecked(backend, "a", "w+");
    expect(() => handle.close()).toThrow(/EIO/);
    expect(backend.openHandles).toBe(0);
  });

  it("any counts all operations, and lasting faults stay", () => {
    const backend = faultInjecting(memory(), { faults: [{ kind: "any", at: 3, errno: "EIO", lasting: true }] });
    const handle = backend.open("a", "w+");
    handle.write(0, Uint8Array.of(1));
    expect(() => handle.write(1, Uint8Array.of(1))).toThrow(/EIO/);
    expect(() => handle.read(0, 1)).toThrow(/EIO/);
    expect(() => handle.size()).toThrow(/EIO/);
  });

  it("a write can be cut short", () => {
    const files = memory();
    const backend = faultInjecting(files, {
      faults: [{ kind: "write", at: 2, errno: "ENOSPC", writtenBytes: 2 }],
      record: true,
    });
    const handle = openChecked(backend, "a", "w+");
    handle.write(0, Uint8Array.of(1, 1));
    expect(() => handle.write(2, Uint8Array.of(2, 2, 2))).toThrow(/ENOSPC/);
    expect(contents(files, "a")).toEqual(Uint8Array.of(1, 1, 2, 2));
    expect(backend.log.at(-1)).toMatchObject({ kind: "write", position: 2, bytes: Uint8Array.of(2, 2) });
    expect(() => handle.close()).toThrow(expect.objectContaining({ code: "BLOSC2_IO_HANDLE_FAILED" }));
  });

  it("frozen files take no change, at any instant; reads go on", () => {
    const change = (handle: IoHandle): void => {
      handle.write(0, Uint8Array.of(1, 2, 3));
      handle.truncate(2);
      handle.write(2, Uint8Array.of(9));
    };
    const expected: readonly (readonly number[])[] = [[], [1, 2, 3], [1, 2], [1, 2, 9]];
    expected.forEach((bytes, done) => {
      const files = memory();
      const backend = faultInjecting(files, { freezeAfter: done + 1 });
      const handle = backend.open("a", "w+");
      const error = thrownBy(() => change(handle));
      expect(error === undefined).toBe(done === 3);
      expect(() => handle.write(0, Uint8Array.of(7))).toThrow(done === 3 ? /frozen/ : /EIO/);
      expect(() => handle.flush()).toThrow(/frozen/);
      expect(() => backend.rename("a", "b")).toThrow(/frozen/);
      expect(handle.size()).toBe(bytes.length);
      handle.close();
      expect(contents(files, "a")).toEqual(Uint8Array.from(bytes));
    });
  });

  it("the write that meets the freeze can be cut short", () => {
    const files = memory();
    const backend = faultInjecting(files, { freezeAfter: 1, freezeWrittenBytes: 1 });
    const handle = backend.open("a", "w+");
    expect(() => handle.write(0, Uint8Array.of(5, 6))).toThrow(/frozen/);
    expect(() => handle.write(1, Uint8Array.of(6))).toThrow(/frozen/);
    expect(contents(files, "a")).toEqual(Uint8Array.of(5));
  });

  it("freeze() freezes at once", () => {
    const backend = faultInjecting(memory(), {});
    const handle = backend.open("a", "w+");
    backend.freeze();
    expect(() => handle.write(0, Uint8Array.of(5))).toThrow(/frozen/);
  });

  it("the plan is read once", () => {
    const plan: { faults: Fault[] } = { faults: [] };
    const backend = faultInjecting(memory(), plan);
    plan.faults = [{ kind: "open", at: 1, errno: "EIO" }];
    expect(() => backend.open("a", "w+")).not.toThrow();
  });
});
