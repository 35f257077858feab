import * as fs from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import {
  accessControlLists,
  type FileSystemCalls,
  identityAt,
  NODE_FILE_SYSTEM,
  openNewFile,
  resolveLinks,
} from "../src/index.js";

const directory = temporaryFolder();
let made = 0;
const newPath = (): string => join(directory, `file-${made++}`);

function fileOfMode(mode: number): string {
  const path = newPath();
  fs.writeFileSync(path, "old");
  fs.chmodSync(path, mode);
  return path;
}

function madeLike(model: string | undefined, calls: FileSystemCalls = NODE_FILE_SYSTEM): fs.Stats {
  const path = newPath();
  fs.closeSync(openNewFile(calls, path, model));
  return fs.statSync(path);
}

describe("openNewFile", () => {
  it.each([0o600, 0o640, 0o664, 0o666, 0o400, 0o755])("gives the new file the mode %o of the old one", (mode) => {
    expect(madeLike(fileOfMode(mode)).mode & 0o7777).toBe(mode);
  });

  it("leaves the mode to the system where nothing is replaced", () => {
    fs.writeFileSync(join(directory, "plain"), "");
    expect(madeLike(undefined).mode).toBe(fs.statSync(join(directory, "plain")).mode);
    expect(madeLike(newPath()).mode).toBe(fs.statSync(join(directory, "plain")).mode);
  });

  it("never shows the new file to others before it has its mode", () => {
    const seen: number[] = [];
    const note = (fd: number): void => void seen.push(fs.fstatSync(fd).mode & 0o777);
    const calls: FileSystemCalls = {
      ...fs,
      fchownSync: (fd, uid, gid) => {
        note(fd);
        fs.fchownSync(fd, uid, gid);
      },
      fchmodSync: (fd, mode) => {
        note(fd);
        fs.fchmodSync(fd, mode);
      },
    };
    madeLike(fileOfMode(0o644), calls);
    expect(seen).toEqual([0o600]);
  });

  it.skipIf(process.getuid?.() !== 0)("keeps owner and group where the user may give files away", () => {
    const model = fileOfMode(0o640);
    fs.chownSync(model, 1234, 2345);
    const { uid, gid, mode } = madeLike(model);
    expect([uid, gid, mode & 0o777]).toEqual([1234, 2345, 0o640]);
  });

  it("gives a group that can't be kept no rights", () => {
    const forbid = (): never => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    };
    const model = fileOfMode(0o664);
    const foreign = { ...fs.statSync(model), isFile: () => true, uid: 1234, gid: 2345 } as unknown as fs.Stats;
    const calls = { ...fs, fchownSync: forbid, statSync: () => foreign } as unknown as FileSystemCalls;
    expect(madeLike(model, calls).mode & 0o777).toBe(0o604);
  });

  it("leaves nothing behind when the rights can't be given", () => {
    const fail = (): never => {
      throw Object.assign(new Error("EIO: on purpose"), { code: "EIO" });
    };
    const path = newPath();
    expect(() => openNewFile({ ...fs, fchmodSync: fail }, path, fileOfMode(0o600))).toThrow("EIO");
    expect(fs.existsSync(path)).toBe(false);
  });

  it("opens neither what is there nor what a planted link leads to", () => {
    const there = fileOfMode(0o644);
    const [link, dangling] = [newPath(), newPath()];
    fs.symlinkSync(there, link);
    fs.symlinkSync(newPath(), dangling);
    for (const path of [there, link, dangling]) {
      expect(() => openNewFile(NODE_FILE_SYSTEM, path, undefined)).toThrow("EEXIST");
    }
    expect(fs.readFileSync(there, "utf8")).toBe("old");
    expect(fs.existsSync(fs.readlinkSync(dangling))).toBe(false);
  });

  it("keeps the access control list", ({ skip }) => {
    const lists = accessControlLists();
    const model = fileOfMode(0o640);
    // acl(5), in the system's form: version 2, then (tag, rights, id) of owner, user 1234, group, mask, others.
    const entries = [0x01, 6, -1, 0x02, 4, 1234, 0x04, 4, -1, 0x10, 4, -1, 0x20, 0, -1];
    const view = new DataView(new ArrayBuffer(4 + (8 * entries.length) / 3));
    view.setUint32(0, 2, true);
    for (let i = 0; i < entries.length; i += 3) {
      const at = 4 + (8 * i) / 3;
      view.setUint16(at, entries[i] as number, true);
      view.setUint16(at + 2, entries[i + 1] as number, true);
      view.setInt32(at + 4, entries[i + 2] as number, true);
    }
    const list = new Uint8Array(view.buffer);
    if (lists === undefined) return skip("no access control lists can be read on this machine");
    const fd = fs.openSync(model, "r+");
    try {
      lists.set(fd, list);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EOPNOTSUPP") return skip("this file system keeps no lists");
      throw error;
    } finally {
      fs.closeSync(fd);
    }
    const path = newPath();
    fs.closeSync(openNewFile(NODE_FILE_SYSTEM, path, model));
    expect(lists.get(path)).toEqual(list);
    expect(lists.get(fileOfMode(0o600))).toBeUndefined();
  });
});

describe("links", () => {
  it("are followed to what would be written, also where that is not there yet", () => {
    const real = fileOfMode(0o644);
    const [first, second, dangling] = [newPath(), newPath(), newPath()];
    fs.symlinkSync(real, first);
    fs.symlinkSync(first, second);
    fs.symlinkSync("not-there", dangling);
    expect(resolveLinks(NODE_FILE_SYSTEM, real)).toBe(real);
    expect(resolveLinks(NODE_FILE_SYSTEM, second)).toBe(real);
    expect(resolveLinks(NODE_FILE_SYSTEM, dangling)).toBe(join(directory, "not-there"));
  });

  it("in a loop are an error", () => {
    const [one, other] = [newPath(), newPath()];
    fs.symlinkSync(one, other);
    fs.symlinkSync(other, one);
    expect(() => resolveLinks(NODE_FILE_SYSTEM, one)).toThrow("ELOOP");
  });

  it("and spellings of a path lead to the same file", () => {
    const real = fileOfMode(0o644);
    const [link, hard] = [newPath(), newPath()];
    fs.symlinkSync(real, link);
    fs.linkSync(real, hard);
    for (const other of [
      real,
      link,
      hard,
      `${directory}/../${directory.split("/").at(-1)}/${real.split("/").at(-1)}`,
    ]) {
      expect(identityAt(NODE_FILE_SYSTEM, other)).toBe(identityAt(NODE_FILE_SYSTEM, real));
    }
    expect(identityAt(NODE_FILE_SYSTEM, fileOfMode(0o644))).not.toBe(identityAt(NODE_FILE_SYSTEM, real));
    expect(identityAt(NODE_FILE_SYSTEM, newPath())).toBeUndefined();
    expect(identityAt(NODE_FILE_SYSTEM, join(real, "inside"))).toBeUndefined();
  });
});
