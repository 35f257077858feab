/** Registers what Node and the bundled plugins add to core, once, before anything is opened: codecs, and backends by name. @module */
import { registerBackend } from "@b2frame/core/backend";
import { registerPlugins } from "@b2frame/core/plugins";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";

registerPlugins();
registerNodeCodecs();
// The first is the default.
registerBackend("stdio", stdio);
registerBackend("mmap", mmap);
