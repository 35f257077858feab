/** The C libraries that can be there, tried once per thread. @module */
import { type ForeignLibrary, openForeignLibrary } from "./foreign-library.js";
import type { NativeLibrary } from "./native-library.js";
import { NativeZlib } from "./native-zlib.js";
import { NativeZstd } from "./native-zstd.js";
import { type LibraryProbe, probeLibrary } from "./probe-library.js";

/** Whose C library: what the running program exports, or what the system has in a file. */
export type LibraryOwner = "program" | "system";

/** The codecs that have a C library. */
export type NativeCodecName = "zlib" | "zstd";

/** A library that works; or why there is none. */
export type LibraryResult =
  | { readonly library: NativeLibrary; readonly file: string | null }
  | { readonly library: undefined; readonly reason: string };

interface Kind {
  readonly make: new (library: ForeignLibrary) => NativeLibrary & { free(): void };
  readonly probe: LibraryProbe;
  /** Names of the file, by `process.platform`. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

const KINDS: Readonly<Record<NativeCodecName, Kind>> = {
  zlib: {
    make: NativeZlib,
    probe: {
      levels: [1, 5, 9],
      dictionaries: false,
      // Python's zlib.compress(b"b2frame", 9).
      stream: bytesOf("78da4b324a2b4acc4d05000a0902a0"),
      content: Buffer.from("b2frame"),
    },
    // On macOS a name without a folder would be looked for in the current one, too.
    files: { linux: ["libz.so.1"], darwin: ["/usr/lib/libz.1.dylib"] },
  },
  zstd: {
    make: NativeZstd,
    probe: {
      levels: [1, 9],
      dictionaries: true,
      // zstd --check -5, of a file.
      stream: bytesOf("28b52ffd24347d00004862326672616d652c200100d02c473ad506f0"),
      content: Buffer.from("b2frame, b2frame, b2frame, b2frame, b2frame, b2frame"),
    },
    files: {
      linux: ["libzstd.so.1"],
      darwin: ["/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib"],
    },
  },
};

function tryLibrary({ make, probe }: Kind, file: string | null): LibraryResult {
  try {
    const library = new make(openForeignLibrary(file));
    probeLibrary(library, probe);
    // A thread that ends does not give back what C has allocated for it.
    process.once("exit", () => library.free());
    return { library, file };
  } catch (error) {
    const where = file === null ? "" : `${file}: `;
    return { library: undefined, reason: `${where}${error instanceof Error ? error.message : String(error)}` };
  }
}

function findLibrary(codec: NativeCodecName, owner: LibraryOwner): LibraryResult {
  const kind = KINDS[codec];
  if (owner === "program") return tryLibrary(kind, null);
  const reasons: string[] = [];
  for (const file of kind.files[process.platform] ?? []) {
    const result = tryLibrary(kind, file);
    if (result.library !== undefined) return result;
    reasons.push(result.reason);
  }
  const reason = reasons.length === 0 ? `no file is known for ${process.platform}` : reasons.join("; ");
  return { library: undefined, reason };
}

const found = new Map<string, LibraryResult>();

/** The library of a codec, opened and tried at the first call. */
export function nativeLibrary(codec: NativeCodecName, owner: LibraryOwner): LibraryResult {
  const key = `${codec} ${owner}`;
  let result = found.get(key);
  if (result === undefined) {
    result = findLibrary(codec, owner);
    found.set(key, result);
  }
  return result;
}
