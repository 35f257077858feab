/** Numbers for people. @module */

const KIB = 1024;
const SIZE_UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** Three significant digits, and no exponent. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, 2 - digits));
}

/** `4 MiB` for 4194304. */
export function shortSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= KIB && value % KIB === 0 && unit < SIZE_UNITS.length - 1) {
    value /= KIB;
    unit += 1;
  }
  return `${value} ${SIZE_UNITS[unit]}`;
}

/** A case's parameters in a few words. */
export function shortParameters(parameters: Readonly<Record<string, string | number>>): string {
  const words: string[] = [];
  const { chunksize, nchunks, nbytes, shape, edits, editsOfC, reads, workload, bufferSize } = parameters;
  const { codec, clevel, filter } = parameters;
  if (workload !== undefined) words.push(String(workload));
  if (typeof chunksize === "number") words.push(`${nchunks} x ${shortSize(chunksize)}`);
  if (typeof nbytes === "number") words.push(shortSize(nbytes));
  if (shape !== undefined) words.push(String(shape));
  if (codec !== undefined) words.push(`${codec} ${clevel} ${filter}`);
  if (reads !== undefined) words.push(`${reads} reads`);
  if (edits !== undefined) words.push(`${edits} edits`);
  if (typeof bufferSize === "number") words.push(`buffer ${shortSize(bufferSize)}`);
  if (editsOfC !== undefined) words.push(`${editsOfC} by C`);
  words.push(...remoteWords(parameters));
  return words.join(", ");
}

/** What reading from a server took, of a case that does. */
function remoteWords(parameters: Readonly<Record<string, string | number>>): string[] {
  const { latency, chunks, crops, openRounds, cropRounds, bytesToTouched } = parameters;
  if (latency === undefined) return [];
  const words = [`${latency} ms`];
  if (chunks !== undefined) words.push(`chunks ${chunks}`, `${crops} crops`);
  if (openRounds !== undefined) words.push(`rounds ${openRounds} + ${cropRounds}`, `bytes ${bytesToTouched}`);
  return words;
}
