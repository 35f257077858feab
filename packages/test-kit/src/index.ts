/** What the tests of several packages share. @module */
export { noise, seededRandom } from "./noise.js";
export { type TemporaryFiles, temporaryFiles, temporaryFolder } from "./temporary-folder.js";
