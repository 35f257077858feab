/**
 * Frames and stores in S3, and in services like it.
 *
 * @module
 */
export { deleteS3, putS3, type S3Content } from "./put-s3.js";
export type { S3Place } from "./s3-address.js";
export type { WriteCondition } from "./s3-object.js";
export type { S3Access, S3Keys, S3KeysSource } from "./s3-signing.js";
export { type S3Options, s3Files, s3Source } from "./s3-source.js";
export type { S3PutOptions, S3WriteOptions, S3Written } from "./s3-write-options.js";
export { type S3Updated, type S3UpdateOptions, updateS3Array, updateS3SChunk } from "./update-s3.js";
export { type S3FrameDraft, writeS3Frame } from "./write-s3-frame.js";
