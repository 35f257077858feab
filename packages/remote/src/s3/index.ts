/**
 * Frames and stores in S3, and in services like it.
 *
 * @module
 */
export type { S3Place } from "./s3-address.js";
export type { S3Access, S3Keys, S3KeysSource } from "./s3-signing.js";
export { type S3Options, s3Files, s3Source } from "./s3-source.js";
