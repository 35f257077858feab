/** Arithmetic of shapes. @module */

/** Product of the dimensions; 1 for none. */
export function product(dims: readonly number[]): number {
  let result = 1;
  for (const n of dims) result *= n;
  return result;
}

/** Item strides of a C-order array of that shape. */
export function cOrderStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = step;
    step *= shape[i] as number;
  }
  return strides;
}
