/** Which bytes of a ZIP file something checks, found without the reader under test. */

/** A run of bytes, and what checks them. */
export interface CoveredRange {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** Fields of the local header (APPNOTE 4.3.7): signature, method, CRC-32 and sizes, lengths of name and extra field. */
const LOCAL_FIELDS = [
  [0, 4],
  [8, 10],
  [14, 30],
] as const;
/** Of the central header (4.3.12): signature, method, CRC-32 and sizes, the three lengths, the disk, the place of the member. */
const CENTRAL_FIELDS = [
  [0, 4],
  [10, 12],
  [16, 36],
  [42, 46],
] as const;

/** The ranges of a ZIP file of stored members without a comment. */
export function coveredRanges(bytes: Uint8Array): CoveredRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.byteLength - 22;
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error("no end record at the end");
  const ranges: CoveredRange[] = [{ start: end, end: end + 22, what: "end record" }];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < view.getUint16(end + 10, true); i++) {
    const nameLength = view.getUint16(at + 28, true);
    for (const [from, to] of CENTRAL_FIELDS) ranges.push({ start: at + from, end: at + to, what: "central header" });
    ranges.push({ start: at + 46, end: at + 46 + nameLength, what: "name" });
    const local = view.getUint32(at + 42, true);
    for (const [from, to] of LOCAL_FIELDS) ranges.push({ start: local + from, end: local + to, what: "local header" });
    const content = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    ranges.push({ start: local + 30, end: local + 30 + nameLength, what: "name" });
    ranges.push({ start: content, end: content + view.getUint32(at + 24, true), what: "content" });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return ranges;
}
