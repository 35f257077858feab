/** What is fed to b2frame: one file, or the files of a directory. @module */

/** One file. In a directory, `name` is its path in there, with slashes. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One thing to open. */
export interface Input {
  readonly files: readonly InputFile[];
}

/** An input with a name of its own, for reports. */
export interface NamedInput extends Input {
  readonly name: string;
}

/** The only file of an input that is no directory. */
export function onlyFile(input: Input): InputFile {
  const [file] = input.files;
  if (file === undefined) throw new Error("an input has at least one file");
  return file;
}

/** The input with file `index` replaced by `bytes`. */
export function withFile(input: Input, index: number, bytes: Uint8Array): Input {
  return { files: input.files.map((file, at) => (at === index ? { name: file.name, bytes } : file)) };
}

/** Bytes that {@link decodeInput} reads: per file the lengths of name and content, and both. */
export function encodeInput(input: Input): Uint8Array {
  const parts = input.files.flatMap(({ name, bytes }) => {
    const nameBytes = Buffer.from(name);
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(nameBytes.length, 0);
    lengths.writeUInt32LE(bytes.byteLength, 4);
    return [lengths, nameBytes, bytes];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** The input in bytes of {@link encodeInput}'s. */
export function decodeInput(bytes: Uint8Array): Input {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files: InputFile[] = [];
  for (let at = 0; at < view.length; ) {
    const nameEnd = at + 8 + view.readUInt32LE(at);
    const end = nameEnd + view.readUInt32LE(at + 4);
    files.push({ name: view.toString("utf8", at + 8, nameEnd), bytes: bytes.slice(nameEnd, end) });
    at = end;
  }
  return { files };
}
