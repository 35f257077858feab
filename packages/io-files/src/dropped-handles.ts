/** Handles that were dropped without `close()`. @module */

/** How a dropped handle's file is closed. Must not lead to the handle, which would keep it. */
export interface DroppedFile {
  readonly path: string;
  close(): void;
}

const registry = new FinalizationRegistry<DroppedFile>((file) => {
  try {
    file.close();
  } finally {
    process.emitWarning(
      `${file.path} was open until it was collected as garbage: what had not been written is lost; call close(), or use "using"`,
      { type: "B2frameWarning", code: "B2FRAME_DROPPED" },
    );
  }
});

/** Closes the file, and warns, if the handle is dropped before {@link forgetHandle}. */
export function watchHandle(handle: object, file: DroppedFile): void {
  registry.register(handle, file, handle);
}

/** The handle was closed as it should be. */
export function forgetHandle(handle: object): void {
  registry.unregister(handle);
}
