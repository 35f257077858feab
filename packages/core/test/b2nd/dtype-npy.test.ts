import { describe, expect, it } from "vitest";
import {
  asarray,
  decodeNpy,
  decodeNpyHeader,
  encodeNpy,
  encodeNpyHeader,
  isBlosc2Error,
  parseDType,
} from "../../src/index.js";

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
    ["float", "<f8", 8],
    ["int", "<i8", 8],
    ["complex", "<c16", 16],
    ["half", "<f2", 2],
    ["longdouble", "<f16", 16],
    ["ushort", "<u2", 2],
    ["str", "<U0", 0],
    ["bytes", "|S0", 0],
    ["datetime64", "<M8", 8],
    ["datetime64[ns]", "<M8[ns]", 8],
    ["timedelta64[25s]", "<m8[25s]", 8],
    ["M8[1s]", "<M8[s]", 8],
    ["M8[generic]", "<M8", 8],
    [">i1", "|i1", 1],
    ["c", "|S1", 1],
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

  // numpy.dtype(...)["name"] and its offsets and shapes, in NumPy 2.4
  it("spell nested types by themselves, so that what is parsed again is the same", () => {
    const outer = parseDType("[('p', [('x', '<i4'), ('', '|V3')], (2,)), ('q', '<f8')]");
    const inner = outer.fields?.[0]?.dtype;
    expect([inner?.str, inner?.itemsize]).toEqual(["[('x', '<i4'), ('', '|V3')]", 7]);
    expect(parseDType(inner?.str as string)).toEqual(inner);
    const dict = parseDType("{'names': ['b'], 'formats': [([('x', '<i4')], (2,))], 'offsets': [0], 'itemsize': 8}");
    expect(dict.fields?.map(({ dtype, shape }) => [dtype.str, shape])).toEqual([["[('x', '<i4')]", [2]]]);
    expect(parseDType("[('a', ('<i2', (3,)), (2,))]").fields?.[0]?.shape).toEqual([2, 3]);
  });

  it("read names as Python writes them", () => {
    const names = (text: string): unknown => parseDType(text).fields?.map(({ name }) => name);
    expect(names(String.raw`[('col\xa0name', '<i4'), ('a\nb\tc', '<i4'), ("it's", '<i4')]`)).toEqual([
      "col\u00a0name",
      "a\nb\tc",
      "it's",
    ]);
    expect(names(String.raw`[('\u6e29\U0001f321', '<i4'), ('\101\\', '<i4'), ('', '<f4')]`)).toEqual([
      "温🌡",
      "A\\",
      "f2",
    ]);
  });

  it.each([
    "[('a', '<i4'), ('a', '<i4')]",
    "M8[1]",
    "M8[0s]",
    "M8[sec]",
    "datetime64[x]",
    "int128",
    "__proto__",
    "constructor",
    String.raw`[('\x4', '<i4')]`,
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

  // The headers that numpy.save of NumPy 2.4 writes, without the filling.
  it.each([
    [1, "[('température', '<i2')]", "{'descr': [('température', '<i2')], 'fortran_order': False, 'shape': (1,), }"],
    [
      3,
      "[('温度', '<i2'), ('b\\t[', '|u1', 2)]",
      "{'descr': [('温度', '<i2'), ('b\\t[', '|u1', (2,))], 'fortran_order': False, 'shape': (1,), }",
    ],
    [
      1,
      "{'names': ['flag', 'value'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
      "{'descr': [('flag', '|i1'), ('', '|V7'), ('value', '<f8')], 'fortran_order': False, 'shape': (1,), }",
    ],
  ])("of version %d say %s", (version, dtype, header) => {
    const written = encodeNpyHeader(parseDType(dtype), [1]);
    expect([...written.subarray(6, 8)]).toEqual([version, 0]);
    const encoded = Buffer.from(header, version === 1 ? "latin1" : "utf8");
    const at = version === 1 ? 10 : 12;
    expect(Buffer.from(written.subarray(at, at + encoded.byteLength)).equals(encoded)).toBe(true);
    expect(written.byteLength % 64).toBe(0);
    const read = decodeNpyHeader(written);
    expect(read.dtype.fields).toEqual(parseDType(dtype).fields);
    expect(read.dtype.itemsize).toBe(parseDType(dtype).itemsize);
  });

  it("take no fields that overlap, which NumPy does not save either", () => {
    const dtype = parseDType("{'names': ['a', 'b'], 'formats': ['<i4', '<i2'], 'offsets': [0, 2], 'itemsize': 4}");
    expect(() => encodeNpyHeader(dtype, [1])).toThrow(expect.objectContaining({ code: "BLOSC2_UNSUPPORTED" }));
  });

  it("of Python 2 are read", () => {
    const text = "{'descr': [(u'a', '<i2')], 'fortran_order': False, 'shape': (1L,), }";
    const python2 = new Uint8Array(128).fill(0x20);
    python2.set(file.subarray(0, 10));
    python2.set(Buffer.from(text, "latin1"), 10);
    expect(decodeNpyHeader(python2)).toMatchObject({ shape: [1], dtype: { itemsize: 2 } });
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
