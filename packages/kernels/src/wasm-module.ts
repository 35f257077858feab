/** Compiling a module that is embedded as hexadecimal digits. @module */

/**
 * The module, compiled where this is called.
 *
 * @throws Error (the platform's `WebAssembly.CompileError`) where the platform lacks WebAssembly, SIMD or bulk memory operations.
 */
export function compileHex(hex: string): WebAssembly.Module {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return new WebAssembly.Module(bytes);
}
