/** Random operation sequences, compared with a plain byte array. @module */
import { type CheckedHandle, openChecked } from "@b2frame/core/backend";
import fc from "fast-check";
import { pattern, type SuiteContext } from "../suite-context.js";

/** What one step does, through one of two handles on the same file. */
type Step =
  | {
      readonly kind: "write";
      readonly handle: 0 | 1;
      readonly position: number;
      readonly length: number;
      readonly seed: number;
    }
  | { readonly kind: "append"; readonly handle: 0 | 1; readonly length: number; readonly seed: number }
  | { readonly kind: "truncate"; readonly handle: 0 | 1; readonly size: number }
  | { readonly kind: "read" | "readInto"; readonly handle: 0 | 1; readonly position: number; readonly length: number }
  | { readonly kind: "flush" | "reopen" | "size"; readonly handle: 0 | 1 };

/** Small places, and places around the borders of the buffers and pages that backends tend to have. */
const place = fc.oneof(
  { weight: 3, arbitrary: fc.nat(300) },
  { weight: 2, arbitrary: fc.nat(140_000) },
  { weight: 1, arbitrary: fc.constantFrom(4095, 4096, 4097, 32_767, 32_768, 32_769, 65_536, 131_072) },
);
const span = fc.oneof({ weight: 4, arbitrary: fc.nat(100) }, { weight: 1, arbitrary: fc.nat(70_000) });
const handle = fc.constantFrom<0 | 1>(0, 1);
const seed = fc.nat(1000);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("write" as const), handle, position: place, length: span, seed }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("append" as const), handle, length: span, seed }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("truncate" as const), handle, size: place }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("read" as const, "readInto" as const),
      handle,
      position: place,
      length: span,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("flush" as const, "reopen" as const, "size" as const), handle }),
  },
);

class ByteArrayModel {
  bytes: Uint8Array = new Uint8Array(0);

  write(position: number, bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    if (position + bytes.byteLength > this.bytes.byteLength) this.truncate(position + bytes.byteLength);
    this.bytes.set(bytes, position);
  }

  truncate(size: number): void {
    const resized = new Uint8Array(size);
    resized.set(this.bytes.subarray(0, size));
    this.bytes = resized;
  }
}

/** Two handles on one file; when the one acts, what the other wrote is flushed first, as the contract asks. */
class ModelRun {
  readonly #context: SuiteContext;
  readonly #model = new ByteArrayModel();
  readonly #open: () => CheckedHandle;
  readonly #handles: [CheckedHandle, CheckedHandle];
  #writer: 0 | 1 | undefined;

  constructor(context: SuiteContext, first: CheckedHandle, open: () => CheckedHandle) {
    this.#context = context;
    this.#open = open;
    this.#handles = [first, open()];
  }

  run(next: Step): void {
    if (this.#writer !== undefined && this.#writer !== next.handle) {
      this.#handles[this.#writer].flush();
      this.#writer = undefined;
    }
    const active = this.#handles[next.handle];
    switch (next.kind) {
      case "write":
        this.#write(next.handle, next.position, pattern(next.length, next.seed));
        break;
      case "append":
        this.#write(next.handle, this.#model.bytes.byteLength, pattern(next.length, next.seed));
        break;
      case "truncate":
        this.#model.truncate(next.size);
        active.truncate(next.size);
        this.#writer = next.handle;
        break;
      case "read":
      case "readInto":
        this.#read(active, next.kind, next.position, next.length);
        break;
      case "size":
        this.#context.same(active.size(), this.#model.bytes.byteLength);
        break;
      case "flush":
        active.flush();
        break;
      case "reopen":
        active.close();
        this.#handles[next.handle] = this.#open();
        break;
    }
  }

  finish(): Uint8Array {
    for (const each of this.#handles) each.close();
    return this.#model.bytes;
  }

  #write(index: 0 | 1, position: number, bytes: Uint8Array): void {
    this.#model.write(position, bytes);
    this.#handles[index].write(position, bytes);
    this.#writer = index;
  }

  #read(active: CheckedHandle, kind: "read" | "readInto", position: number, length: number): void {
    const target = new Uint8Array(length);
    const call = () => {
      if (kind === "read") target.set(active.read(position, length));
      else active.readInto(position, target);
    };
    if (length > 0 && position + length > this.#model.bytes.byteLength) {
      this.#context.fails(call, "BLOSC2_IO_SHORT_READ", "BLOSC2_IO_STALE");
    } else {
      call();
      this.#context.sameBytes(target, this.#model.bytes.subarray(position, position + length));
    }
  }
}

export function checkModel(context: SuiteContext): void {
  if (!context.options.backend().capabilities.write) return;
  context.group("model", () => {
    context.options.test.it("random operations through two handles match a plain byte array", () => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), (steps) => {
          const backend = context.options.backend();
          const path = context.options.makePath();
          const run = new ModelRun(context, openChecked(backend, path, "w+"), () => openChecked(backend, path, "r+"));
          try {
            for (const next of steps) run.run(next);
          } finally {
            run.finish();
          }
          context.sameBytes(context.contents(backend, path), run.finish());
          backend.remove(path);
        }),
        { numRuns: context.options.modelRuns ?? 60 },
      );
    });
  });
}
