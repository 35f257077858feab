import { readdirSync, readlinkSync } from "node:fs";

/** This process's descriptors, all threads', on that file or files of that directory: the runtime opens and closes others at any time. */
export function descriptorsOn(path) {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // Closed meanwhile.
    }
  });
  return links.filter((link) => link.startsWith(path)).length;
}
