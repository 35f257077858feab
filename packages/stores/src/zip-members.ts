/** The members of a `.b2z` file. @module */
import { ArgumentError, DEFAULT_LIMITS, type IoBackend, SChunk, type SChunkOpenOptions } from "@b2frame/core";
import { firstFailure, openChecked, ProblemList, Replacement } from "@b2frame/core/backend";
import { HandleBackend } from "./handle-backend.js";
import type { FramePlace, MemberBytes, MemberFiles } from "./member-files.js";
import { appendingBackend, SharedFile } from "./shared-file.js";
import { locateMember, requireNamed, requireSameFacts, requireStored } from "./zip/locate-member.js";
import { crcOf, wrongCrc } from "./zip/member-crc.js";
import { readZipDirectory } from "./zip/read-zip-directory.js";
import type { ZipEntry } from "./zip/zip-entry.js";
import { ZipWriter } from "./zip/zip-writer.js";

/** Where a member's content is now: in the file that was opened, or in the one that is being written. */
interface Content {
  readonly file: SharedFile;
  readonly position: number;
  readonly byteLength: number;
  readonly crc32: number;
}

/** How the members of a file are read. */
export interface ZipOpenOptions {
  readonly maxAllocation?: number | undefined;
  /** Whether {@link ZipMembers.check} does anything. Default true. */
  readonly checkCrc?: boolean | undefined;
}

/** A file that is being written beside the store. */
interface Draft {
  readonly replacement: Replacement;
  readonly file: SharedFile;
  readonly writer: ZipWriter;
}

/**
 * Frames in a ZIP file, read where they lie. Changes are collected in a new file, which takes the old one's place at once when
 * the store is closed.
 */
export class ZipMembers implements MemberFiles {
  readonly #path: string;
  readonly #backend: IoBackend;
  readonly #old: SharedFile | undefined;
  readonly #oldEntries: Map<string, ZipEntry>;
  /** Members of the old file whose content is the one that was stored. */
  readonly #checkCrc: boolean;
  readonly #checked = new Set<string>();
  #draft: Draft | undefined;

  private constructor(
    path: string,
    backend: IoBackend,
    old: SharedFile | undefined,
    entries: Map<string, ZipEntry>,
    checkCrc: boolean,
  ) {
    this.#checkCrc = checkCrc;
    this.#path = path;
    this.#backend = backend;
    this.#old = old;
    this.#oldEntries = entries;
  }

  /** The members of the file at `path`. @throws as `readZipDirectory` */
  static open(path: string, backend: IoBackend, options: ZipOpenOptions = {}): ZipMembers {
    const { maxAllocation = DEFAULT_LIMITS.maxAllocation, checkCrc = true } = options;
    const file = new SharedFile(openChecked(backend, path, "r"));
    try {
      return new ZipMembers(path, backend, file, readZipDirectory(file.handle, path, maxAllocation), checkCrc);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** An empty file, which is there only once it has been closed. */
  static create(path: string, backend: IoBackend): ZipMembers {
    const members = new ZipMembers(path, backend, undefined, new Map(), true);
    members.#drafted();
    return members;
  }

  names(): string[] {
    const added = this.#draft?.writer.members.keys() ?? [];
    return [...new Set([...this.#oldEntries.keys(), ...added])];
  }

  open(name: string, options: SChunkOpenOptions): SChunk {
    const { mode = "r" } = options;
    if (mode !== "r") {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${this.#path}: member "${name}" can only be opened with mode "r": change a copy and set() that`,
        { parameter: "mode", found: mode, path: this.#path, member: name },
      );
    }
    const { file, position, byteLength } = this.#content(name);
    const handle = file.window(position + byteLength);
    return SChunk.openHandle(handle, { ...options, offset: position, path: this.#path });
  }

  check(name: string): void {
    if (!this.#checkCrc || this.#checked.has(name) || this.#draft?.writer.members.has(name) === true) return;
    const { file, position, byteLength, crc32 } = this.#content(name);
    const found = crcOf(file.handle, position, byteLength);
    if (found !== crc32) throw wrongCrc(this.#path, name, position, crc32, found);
    this.#checked.add(name);
  }

  requireNamed(name: string): void {
    const entry = this.#oldEntries.get(name);
    if (this.#old !== undefined && entry !== undefined) requireNamed(this.#old.handle, entry, this.#path);
  }

  bytesOf(name: string): MemberBytes {
    const { file, position, byteLength } = this.#content(name);
    const path = `${this.#path}/${name}`;
    const backend = new HandleBackend(file.window(position + byteLength), path);
    return { backend, path, offset: position, byteLength, close: () => backend.close() };
  }

  verify(name: string, problems: ProblemList): boolean {
    const structure = `zip member "${name}"`;
    const entry = this.#oldEntries.get(name);
    const old = this.#old;
    const before = problems.problems.length;
    if (old !== undefined && entry !== undefined) {
      problems.attempt(structure, () => requireSameFacts(old.handle, entry, this.#path));
    }
    // Two headers that contradict each other are what keeps the content from being found.
    const finding = problems.problems.length > before ? new ProblemList() : problems;
    if (finding.attempt(structure, () => this.#content(name)) === undefined) return false;
    problems.attempt(structure, () => this.check(name));
    return true;
  }

  put(name: string, content: SChunk): void {
    const { file, writer } = this.#drafted();
    const backend = appendingBackend(file.handle);
    writer.add(name, () => content.appendFile(this.#path, backend));
    this.#oldEntries.delete(name);
  }

  remove(name: string): void {
    this.#drafted().writer.remove(name);
    this.#oldEntries.delete(name);
  }

  locate(name: string): FramePlace {
    const { file, position, byteLength } = this.#content(name);
    return { path: file.handle.path, position, byteLength };
  }

  close(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    if (draft === undefined) {
      this.#old?.close();
      return;
    }
    const drafts = [draft];
    try {
      const final = draft.writer.unusedBytes === 0 ? draft : this.#begin();
      if (final !== draft) {
        drafts.unshift(final);
        for (const member of draft.writer.members.values()) final.writer.copy(member.name, draft.file.handle, member);
      }
      for (const name of this.#oldEntries.keys()) {
        const content = this.#content(name);
        final.writer.copy(name, content.file.handle, content);
      }
      final.writer.finish();
      // Open files can't be replaced on every system, nor cut to their size while they are mapped.
      final.file.handle.close();
      this.#old?.close();
      final.replacement.finish();
    } catch (error) {
      throw firstFailure(
        error,
        () => this.#old?.close(),
        ...drafts.map((unwanted) => () => unwanted.replacement.abandon()),
      );
    }
    if (drafts.length > 1) draft.replacement.abandon();
  }

  discard(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    this.#old?.close();
    draft?.replacement.abandon();
  }

  #begin(): Draft {
    const replacement = new Replacement(this.#backend, this.#path);
    const file = new SharedFile(replacement.handle);
    return { replacement, file, writer: new ZipWriter(replacement.handle) };
  }

  /** The file that changes go to. */
  #drafted(): Draft {
    if (this.#draft === undefined) {
      // They have to be copied, which must not fail when all changes have been made.
      for (const entry of this.#oldEntries.values()) requireStored(entry, this.#path);
      this.#draft = this.#begin();
    }
    return this.#draft;
  }

  #content(name: string): Content {
    const draft = this.#draft;
    const written = draft?.writer.members.get(name);
    if (draft !== undefined && written !== undefined) return { file: draft.file, ...written };
    const entry = this.#oldEntries.get(name);
    if (this.#old === undefined || entry === undefined) {
      throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `${this.#path}: there is no member "${name}"`, {
        parameter: "name",
        found: name,
        path: this.#path,
      });
    }
    const position = locateMember(this.#old.handle, entry, this.#path);
    return { file: this.#old, position, byteLength: entry.size, crc32: entry.crc32 };
  }
}
