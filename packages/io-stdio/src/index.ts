/**
 * The stdio backend of b2frame: positioned reads and writes on held descriptors, on Node.js.
 *
 * @module
 */
export type { FileSystemCalls } from "@b2frame/io-files";
export {
  createHandleBudget,
  type HandleBudgetState,
  handleBudgetState,
  MAX_HELD_HANDLES_VARIABLE,
  shareHandleBudget,
} from "./handle-budget.js";
export { DEFAULT_BUFFER_SIZE, MAX_BUFFER_SIZE, type StdioOptions, stdio } from "./stdio-backend.js";
