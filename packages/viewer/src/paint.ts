/**
 * What the page paints pictures with: colour maps, and how values become colours.
 *
 * @module
 */
export {
  COLOUR_MAPS,
  type ColourMapName,
  colourIndexer,
  colourTable,
  SCALES,
  type ScaleName,
} from "./page/paint/colour-table.js";
export type { Numbers, Spread } from "./worker/protocol.js";
export { spreadOf } from "./worker/spread.js";
