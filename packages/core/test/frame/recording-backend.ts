/** A backend that logs what changes files, and rebuilds what was there after any number of those changes. */
import type { IoBackend, IoHandle } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";

type Change =
  | { kind: "create" | "remove"; path: string }
  | { kind: "write"; path: string; position: number; bytes: Uint8Array }
  | { kind: "truncate"; path: string; size: number }
  | { kind: "flush" | "drain"; path: string }
  | { kind: "rename"; path: string; to: string };

/** See the module's description. */
export class RecordingBackend implements IoBackend {
  readonly name = "recording";
  readonly inner: IoBackend = memory();
  readonly capabilities = this.inner.capabilities;
  readonly log: Change[] = [];
  /** The names of the open files, which a file keeps when it is renamed, and loses when another one takes its place. */
  readonly #open = new Set<{ path: string }>();

  open(path: string, mode: "r" | "r+" | "w+" | "c"): IoHandle {
    const handle = this.inner.open(path, mode);
    if (mode === "w+") this.log.push({ kind: "create", path });
    const named = { path };
    this.#open.add(named);
    return {
      size: () => handle.size(),
      read: (position, length) => handle.read(position, length),
      readInto: (position, target) => handle.readInto(position, target),
      write: (position, bytes) => {
        handle.write(position, bytes);
        this.log.push({ kind: "write", path: named.path, position, bytes: bytes.slice() });
      },
      truncate: (size) => {
        handle.truncate(size);
        this.log.push({ kind: "truncate", path: named.path, size });
      },
      flush: () => {
        handle.flush();
        this.log.push({ kind: "flush", path: named.path });
      },
      drain: () => {
        this.log.push({ kind: "drain", path: named.path });
      },
      close: () => {
        this.#open.delete(named);
        handle.close();
      },
    };
  }

  exists(path: string): boolean {
    return this.inner.exists(path);
  }

  remove(path: string): void {
    this.inner.remove(path);
    this.log.push({ kind: "remove", path });
  }

  rename(from: string, to: string): void {
    this.inner.rename(from, to);
    this.log.push({ kind: "rename", path: from, to });
    for (const file of this.#open) {
      if (file.path === to) file.path = `a file that had the name ${to}`;
      else if (file.path === from) file.path = to;
    }
  }

  /**
   * The files after the first `count` changes, of which those writes and truncations never reached the disk for
   * which `lost` is true.
   */
  after(count: number, lost: (index: number) => boolean = () => false): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>();
    this.log.slice(0, count).forEach((change, index) => {
      if ((change.kind === "write" || change.kind === "truncate") && lost(index)) return;
      const old = files.get(change.path) ?? new Uint8Array(0);
      if (change.kind === "create") files.set(change.path, new Uint8Array(0));
      if (change.kind === "remove") files.delete(change.path);
      if (change.kind === "truncate") {
        const bytes = new Uint8Array(change.size);
        bytes.set(old.subarray(0, change.size));
        files.set(change.path, bytes);
      }
      if (change.kind === "write") {
        const bytes = new Uint8Array(Math.max(old.byteLength, change.position + change.bytes.byteLength));
        bytes.set(old);
        bytes.set(change.bytes, change.position);
        files.set(change.path, bytes);
      }
      if (change.kind === "rename") {
        files.delete(change.path);
        files.set(change.to, old);
      }
    });
    return files;
  }
}
