/** The drivers that this machine has. @module */
import type { MappingDriverName } from "../src/index.js";
import { mappingDrivers } from "../src/index.js";

export const AVAILABLE: readonly MappingDriverName[] = mappingDrivers()
  .filter((driver) => driver.available)
  .map((driver) => driver.name);
