import { describe, expect, it } from "vitest";
import { checkHandle, openChecked, shortRead } from "../../src/backend.js";
import { type IoBackend, IoError, type IoHandle, isBlosc2Error, memory } from "../../src/index.js";

/** A handle whose calls do what the test says. */
function fakeHandle(overrides: Partial<IoHandle>): IoHandle {
  return {
    size: () => 10,
    read: (_position, length) => new Uint8Array(length),
    readInto: () => {},
    write: () => {},
    truncate: () => {},
    flush: () => {},
    close: () => {},
    ...overrides,
  };
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const facts = { path: "a.b2frame", mode: "r+" } as const;
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe("CheckedHandle", () => {
  it("is not wrapped twice", () => {
    const handle = checkHandle(fakeHandle({}), facts);
    expect(checkHandle(handle, facts)).toBe(handle);
    const backend = memory();
    const opened = backend.open("a", "w+");
    expect(
      openChecked({ ...backend, name: "x", capabilities: backend.capabilities, open: () => opened }, "a", "r"),
    ).toBe(opened);
  });

  it.each([
    ["write", (handle: IoHandle) => handle.write(3, Uint8Array.of(1, 2)), { position: 3, length: 2 }],
    ["truncate", (handle: IoHandle) => handle.truncate(5), { length: 5 }],
    ["flush", (handle: IoHandle) => handle.flush(), {}],
  ] as const)("a failed %s is reported at once, by all later changes, and by close", (operation, call, details) => {
    const cause = systemError("ENOSPC");
    let closed = 0;
    const fail = (): void => {
      throw cause;
    };
    const handle = checkHandle(fakeHandle({ [operation]: fail, close: () => closed++ }), facts);
    const error = thrownBy(() => call(handle));
    expect(error).toMatchObject({
      code: "BLOSC2_IO_NO_SPACE",
      cause,
      details: { operation, path: "a.b2frame", ...details },
    });
    expect((error as Error).message).toContain("a.b2frame: ");
    for (const later of [() => handle.write(0, Uint8Array.of(1)), () => handle.truncate(0), () => handle.flush()]) {
      expect(thrownBy(later)).toMatchObject({
        code: "BLOSC2_IO_HANDLE_FAILED",
        cause: error,
        details: { errno: "ENOSPC" },
      });
    }
    expect(handle.read(0, 1)).toEqual(Uint8Array.of(0));
    expect(thrownBy(() => handle.close())).toMatchObject({ code: "BLOSC2_IO_HANDLE_FAILED", cause: error });
    expect(closed).toBe(1);
    handle.close();
    expect(closed).toBe(1);
  });

  it("a write that was put off and fails in a read leaves the handle failed too", () => {
    const lost = new IoError("BLOSC2_IO_FAILED", "a.b2frame: write failed", { operation: "write" });
    const read = (): never => {
      throw lost;
    };
    const handle = checkHandle(fakeHandle({ read }), facts);
    expect(thrownBy(() => handle.read(0, 1))).toBe(lost);
    expect(thrownBy(() => handle.flush())).toMatchObject({ code: "BLOSC2_IO_HANDLE_FAILED", cause: lost });
    expect(thrownBy(() => handle.close())).toMatchObject({ code: "BLOSC2_IO_HANDLE_FAILED", cause: lost });
  });

  it("a failed read leaves the handle usable", () => {
    const readInto = (): never => {
      throw systemError("EIO");
    };
    const handle = checkHandle(fakeHandle({ readInto }), facts);
    expect(thrownBy(() => handle.readInto(7, new Uint8Array(2)))).toMatchObject({
      code: "BLOSC2_IO_FAILED",
      details: { operation: "read", position: 7, length: 2, errno: "EIO" },
    });
    handle.write(0, Uint8Array.of(1));
    handle.close();
  });

  it("a failing close is reported once, with its cause", () => {
    const close = (): never => {
      throw systemError("EIO");
    };
    const handle = checkHandle(fakeHandle({ close }), facts);
    expect(thrownBy(() => handle.close())).toMatchObject({ code: "BLOSC2_IO_FAILED", details: { operation: "close" } });
    handle.close();
    expect(handle.closed).toBe(true);
  });

  it("a backend that gives fewer bytes than asked for is caught", () => {
    const handle = checkHandle(fakeHandle({ read: () => new Uint8Array(3) }), facts);
    expect(() => handle.read(2, 4)).toThrow(code("BLOSC2_IO_SHORT_READ"));
  });

  it.each(["r", "c"] as const)("flush in mode %s never reaches the backend", (mode) => {
    let flushes = 0;
    const handle = checkHandle(fakeHandle({ flush: () => flushes++ }), { path: "a", mode });
    handle.flush();
    expect(flushes).toBe(0);
  });
});

describe("openChecked", () => {
  const failing = (error: unknown): IoBackend => ({
    ...memory(),
    name: "failing",
    capabilities: { write: true, zeroCopy: false, copyOnWrite: false, sparseFrames: false },
    open: () => {
      throw error;
    },
  });

  it.each([
    ["ENOENT", "BLOSC2_IO_NOT_FOUND"],
    ["EEXIST", "BLOSC2_IO_EXISTS"],
    ["EACCES", "BLOSC2_IO_FAILED"],
    ["EMFILE", "BLOSC2_IO_FAILED"],
  ])("%s becomes %s with the path and the cause", (errno, expected) => {
    const cause = systemError(errno);
    const error = thrownBy(() => openChecked(failing(cause), "x.b2frame", "r"));
    expect(error).toMatchObject({ code: expected, cause, details: { operation: "open", path: "x.b2frame", errno } });
    expect(isBlosc2Error(error)).toBe(true);
  });

  it("names the file once, though the system's message names it, too", () => {
    const message = "ENOENT: no such file or directory, open 'x'";
    const error = thrownBy(() =>
      openChecked(failing(Object.assign(new Error(message), { syscall: "open" })), "x", "r"),
    );
    expect(error).toMatchObject({ message: "x: open failed: ENOENT: no such file or directory" });
  });

  it("errors that are no Error objects are reported too", () => {
    expect(thrownBy(() => openChecked(failing("broken"), "x", "r"))).toMatchObject({
      code: "BLOSC2_IO_FAILED",
      message: "x: open failed: broken",
    });
  });

  it("short reads name what was wanted and what was there", () => {
    const error = shortRead({ operation: "read", path: "x", position: 5, length: 8 }, 3);
    expect(error.message).toBe("x: read of 8 bytes at position 5: short read: expected 8 bytes, found 3");
  });
});
