/** Reaching four bytes of a block at once. @module */

const views: WeakMap<ArrayBufferLike, DataView> = new WeakMap();

/**
 * A view of the whole buffer under `bytes`: byte `o` of `bytes` is at `bytes.byteOffset + o`. Words at any position, aligned
 * or not, cost the same and are little-endian everywhere. There is one view per buffer, so that a filter call creates no
 * object.
 */
export function bufferView(bytes: Uint8Array): DataView {
  const buffer = bytes.buffer;
  let view = views.get(buffer);
  if (view === undefined) {
    view = new DataView(buffer);
    views.set(buffer, view);
  }
  return view;
}
