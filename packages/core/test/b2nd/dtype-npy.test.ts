import { describe, expect, it } from "vitest";
import { asarray, decodeNpy, encodeNpy, isBlosc2Error, parseDType } from "../../src/index.js";

describe("dtypes", () => {
  // str and itemsize as numpy.dtype(...).str and .itemsize state them.
  it.each([
    ["float32", "<f4", 4],
    ["<f8", "<f8", 8],
    [">i2", ">i2", 2],
    ["=u4", "<u4", 4],
    ["|b1", "|b1", 1],
    ["?", "|b1", 1],
    ["d", "<f8", 8],
    ["S5", "|S5", 5],
    ["<U3", "<U3", 12],
    ["V7", "|V7", 7],
    ["<M8[ns]", "<M8[ns]", 8],
    ["c16", "<c16", 16],
    ["e", "<f2", 2],
  ])("%s is %s of %d bytes", (text, str, itemsize) => {
    const dtype = parseDType(text);
    expect([dtype.str, dtype.itemsize]).toEqual([str, itemsize]);
  });

  it("describe structured items", () => {
    const dtype = parseDType("[('a', '<i4'), ('', '|V4'), ('b', '<f8', (2, 3)), ('c', [('x', '|u1'), ('y', '<i2')])]");
    // numpy: itemsize 59, offsets a 0, b 8, c 56
    expect(dtype.itemsize).toBe(59);
    expect(dtype.fields?.map((f) => [f.name, f.offset, f.shape])).toEqual([
      ["a", 0, []],
      ["b", 8, [2, 3]],
      ["c", 56, []],
    ]);
    expect(dtype.fields?.[2]?.dtype.fields?.map((f) => f.offset)).toEqual([0, 1]);
    const aligned = parseDType(
      "{'names': ['a', 'b'], 'formats': ['|u1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}",
    );
    expect([aligned.itemsize, aligned.fields?.[1]?.offset]).toEqual([16, 8]);
  });

  it.each([
    "",
    "x9",
    "f3",
    "O",
    "i16",
    "[('a',)]",
    "[('a', '<i4'",
    "{'names': ['a']}",
    `${"[".repeat(100)}`,
    "S999999999999",
  ])("%s is refused", (text) => {
    expect(() => parseDType(text)).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
  });
});

describe(".npy files", () => {
  // numpy.save of numpy.arange(6, dtype="<i2").reshape(2, 3), byte for byte.
  const header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  const file = new Uint8Array(128 + 12);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
  file.fill(0x20, 10, 127);
  file.set(
    Uint8Array.from(header, (c) => c.charCodeAt(0)),
    10,
  );
  file[127] = 0x0a;
  file.set([0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0], 128);

  it("are read as NumPy writes them", () => {
    const buffer = decodeNpy(file);
    expect(buffer.shape).toEqual([2, 3]);
    expect([...buffer.data]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(buffer.toNestedArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  it("are written so that the header says the same and the data is aligned to 64 bytes", () => {
    const written = encodeNpy(decodeNpy(file));
    expect((written.byteLength - 12) % 64).toBe(0);
    expect(new TextDecoder().decode(written)).toContain(header);
    expect([...decodeNpy(written).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("in Fortran order come out in C order", () => {
    const fortran = file.slice();
    fortran.set(
      Uint8Array.from(header.replace("False", "True "), (c) => c.charCodeAt(0)),
      10,
    );
    expect(decodeNpy(fortran).toNestedArray()).toEqual([
      [0, 2, 4],
      [1, 3, 5],
    ]);
  });

  it("carry structured dtypes", () => {
    const array = asarray(new Uint8Array(24).fill(3).buffer, { dtype: "[('a', '<i4'), ('b', '<f8')]" });
    const back = decodeNpy(encodeNpy(array.getSlice()));
    expect(back.dtype.fields?.map((f) => f.name)).toEqual(["a", "b"]);
    expect(back.bytes).toEqual(new Uint8Array(24).fill(3));
  });

  it("that are damaged give a named error", () => {
    for (let n = 0; n < file.byteLength; n++) {
      expect(() => decodeNpy(file.subarray(0, n))).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
    }
    for (let at = 0; at < 128; at++) {
      const changed = file.slice();
      changed[at] = (changed[at] as number) ^ 0x5a;
      try {
        decodeNpy(changed);
      } catch (error) {
        if (!isBlosc2Error(error)) throw error;
      }
    }
  });
});
