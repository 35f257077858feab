/** The simulated disk as an I/O backend, on the actor's side: every call stands still until the scheduler lets it happen. @module */
import { type IoBackend, IoError, type IoHandle, type LockKind, type OpenMode } from "@b2frame/core";
import {
  checkHandle,
  type IoCapabilities,
  type IoDirectories,
  type IoLock,
  type IoLockHeld,
} from "@b2frame/core/backend";
import type { Caller } from "./call-channel.js";
import type { ActorCall, Answer, DiskCall } from "./messages.js";

/** Ends an actor whose process was killed. No `IoError`, so that nothing takes it for a failure that can be handled. */
export class Killed extends Error {}

/** Who carries out calls of the file system: the scheduler, when it is the actor's turn, or the disk at once. */
export interface DiskCaller {
  /** @throws IoError as the disk says; Killed */
  disk(call: DiskCall): unknown;
}

/** The actor's way to the scheduler. */
export class ActorLine implements DiskCaller {
  readonly #caller: Caller;
  #killed = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Whether the actor's process has been killed in this run. */
  get killed(): boolean {
    return this.#killed;
  }

  /** Begins another run as a new process. */
  revive(): void {
    this.#killed = false;
  }

  /** @throws Killed; IoError as the disk says */
  ask(call: ActorCall): Answer {
    if (this.#killed) throw new Killed();
    const answer = this.#caller.call(call) as Answer;
    if (answer.kind === "killed") {
      this.#killed = true;
      throw new Killed();
    }
    return answer;
  }

  disk(call: DiskCall): unknown {
    const answer = this.ask(call);
    if (answer.kind === "result") return answer.result;
    if (answer.kind === "failure") throw new IoError(answer.code, answer.message, { operation: call.kind });
    throw new Error(`the scheduler answered ${answer.kind} to ${call.kind}`);
  }
}

class SimulatedHandle implements IoHandle {
  readonly #line: DiskCaller;
  readonly #handle: number;

  constructor(line: DiskCaller, handle: number) {
    this.#line = line;
    this.#handle = handle;
  }

  size(): number {
    return this.#line.disk({ kind: "size", handle: this.#handle }) as number;
  }

  read(position: number, length: number): Uint8Array {
    return this.#line.disk({ kind: "read", handle: this.#handle, position, byteLength: length }) as Uint8Array;
  }

  readInto(position: number, target: Uint8Array): void {
    target.set(this.read(position, target.byteLength));
  }

  write(position: number, bytes: Uint8Array): void {
    this.#line.disk({ kind: "write", handle: this.#handle, position, bytes: bytes.slice() });
  }

  truncate(size: number): void {
    this.#line.disk({ kind: "truncate", handle: this.#handle, size });
  }

  flush(): void {
    this.#line.disk({ kind: "flush" });
  }

  identify(): string {
    return String(this.#line.disk({ kind: "inode-of", handle: this.#handle }));
  }

  close(): void {
    this.#line.disk({ kind: "close", handle: this.#handle });
  }
}

class SimulatedLock implements IoLock {
  readonly path: string;
  readonly #line: DiskCaller;
  readonly #lock: number;
  #held: LockKind | undefined;

  constructor(line: DiskCaller, path: string, lock: number) {
    this.#line = line;
    this.path = path;
    this.#lock = lock;
  }

  get held(): LockKind | undefined {
    return this.#held;
  }

  acquire(kind: LockKind): IoLockHeld {
    const changed = this.#line.disk({ kind: "acquire", lock: this.#lock, lockKind: kind }) as boolean;
    this.#held = kind;
    return { changed };
  }

  release(): void {
    this.#held = undefined;
    this.#line.disk({ kind: "release", lock: this.#lock });
  }

  close(): void {
    this.#held = undefined;
    this.#line.disk({ kind: "close-lock", lock: this.#lock });
  }
}

/** A backend whose every call waits for the scheduler. */
export class SimulatedBackend implements IoBackend {
  readonly name = "simulated";
  readonly capabilities: IoCapabilities = { write: true, zeroCopy: false, copyOnWrite: false, sparseFrames: true };
  readonly directories: IoDirectories;
  readonly #line: DiskCaller;

  constructor(line: DiskCaller) {
    this.#line = line;
    this.directories = {
      make: (path) => void line.disk({ kind: "make-directory", path }),
      list: (path) => line.disk({ kind: "list", path }) as string[],
      isDirectory: (path) => line.disk({ kind: "is-directory", path }) as boolean,
      remove: (path) => void line.disk({ kind: "remove-directory", path }),
      flush: () => void line.disk({ kind: "flush" }),
    };
  }

  open(path: string, mode: OpenMode): IoHandle {
    const handle = this.#line.disk({ kind: "open", path, mode }) as number;
    return checkHandle(new SimulatedHandle(this.#line, handle), { path, mode });
  }

  openNew(path: string): IoHandle {
    const handle = this.#line.disk({ kind: "open-new", path }) as number;
    return checkHandle(new SimulatedHandle(this.#line, handle), { path, mode: "w+" });
  }

  identify(path: string): string | undefined {
    const inode = this.#line.disk({ kind: "inode-at", path });
    return inode === undefined ? undefined : String(inode);
  }

  exists(path: string): boolean {
    return this.#line.disk({ kind: "exists", path }) as boolean;
  }

  remove(path: string): void {
    this.#line.disk({ kind: "remove", path });
  }

  rename(from: string, to: string): void {
    this.#line.disk({ kind: "rename", path: from, to });
  }

  openLock(path: string): IoLock {
    return new SimulatedLock(this.#line, path, this.#line.disk({ kind: "open-lock", path }) as number);
  }
}
