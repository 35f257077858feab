/** Registers what Node and the bundled plugins can add to the portable codecs, once, before anything is opened. @module */
import { registerPlugins } from "@b2frame/core/plugins";
import { registerNodeCodecs } from "@b2frame/node-codecs";

registerPlugins();
registerNodeCodecs();
