/**
 * Decoding remote frames off the thread that reads them, in pages and in Node.
 *
 * @module
 */
export { DecodePool, type DecodePoolOptions } from "./decode-pool.js";
