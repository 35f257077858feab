/** What the tests use in the page: bundled by Vite, as a program's page is. */
import { asarray, FormatError } from "@b2frame/core";
import { DecodePool, openRemote, openRemoteArray, openRemoteStore } from "./remote.js";

const exposed = { asarray, DecodePool, FormatError, openRemote, openRemoteArray, openRemoteStore };
declare global {
  var b2frame: typeof exposed;
}
globalThis.b2frame = exposed;
