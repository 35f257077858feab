/** Whether two files, or two folders of files, hold the same bytes. @module */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";

const PIECE_BYTES = 1 << 20;

function sameFiles(a: string, b: string): boolean {
  const [first, second] = [openSync(a, "r"), openSync(b, "r")];
  try {
    if (fstatSync(first).size !== fstatSync(second).size) return false;
    const [left, right] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
    for (;;) {
      const length = readSync(first, left);
      let read = 0;
      while (read < length) {
        const more = readSync(second, right, read, length - read, null);
        if (more === 0) return false;
        read += more;
      }
      if (length === 0) return true;
      if (!left.subarray(0, length).equals(right.subarray(0, length))) return false;
    }
  } finally {
    closeSync(first);
    closeSync(second);
  }
}

/** Whether two frames, each a file or a folder of files, are the same bytes. */
export function sameContent(a: string, b: string): boolean {
  const isFolder = lstatSync(a).isDirectory();
  if (lstatSync(b).isDirectory() !== isFolder) return false;
  if (!isFolder) return sameFiles(a, b);
  const names = readdirSync(a).sort();
  if (names.join("/") !== readdirSync(b).sort().join("/")) return false;
  return names.every((name) => sameFiles(`${a}/${name}`, `${b}/${name}`));
}
