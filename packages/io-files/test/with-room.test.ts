import * as fs from "node:fs";
import { isBlosc2Error } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { type FileSystemCalls, roomMakers, syncDirectory, withRoom } from "../src/index.js";

const directory = temporaryFolder();

/** A call that finds no descriptor as often as that. */
function shortOf(times: number): () => string {
  let left = times;
  return () => {
    if (left-- > 0) throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    return "done";
  };
}

describe("withRoom", () => {
  it("gives up held files, oldest first, and no more than it takes", () => {
    const given: string[] = [];
    const makers = ["first", "second", "third"].map((name) => ({ giveUp: () => void given.push(name) }));
    for (const maker of makers) roomMakers.add(maker);
    expect(withRoom("open", "x", shortOf(2))).toBe("done");
    expect(given).toEqual(["first", "second"]);
    roomMakers.clear();
  });

  it("says what to do when there is nothing to give up", () => {
    try {
      withRoom("list directory", "x", shortOf(1));
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error) && [error.details.errno, error.details.operation]).toEqual([
        "EMFILE",
        "list directory",
      ]);
    }
  });

  it("is there for making a directory durable", () => {
    let given = 0;
    roomMakers.add({ giveUp: () => given++ });
    const short = shortOf(1);
    const openSync = (path: fs.PathLike, flags: fs.OpenMode): number => {
      short();
      return fs.openSync(path, flags);
    };
    syncDirectory({ ...fs, openSync } as FileSystemCalls, directory);
    expect(given).toBe(1);
  });
});
