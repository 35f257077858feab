/** The site: README, all documents and the API reference, with a way to the viewer. @module */
import { fileURLToPath } from "node:url";
import reference from "../../typedoc.config.mjs";

/** TypeDoc takes relative paths from the folder of its configuration. @param {string} path from the root folder */
const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  ...reference,
  entryPoints: reference.entryPoints?.map(fromRoot),
  tsconfig: fromRoot("tsconfig.json"),
  readme: fromRoot("README.md"),
  projectDocuments: ["docs/*.md", "docs/backends/*.md"].map(fromRoot),
  out: fromRoot("site"),
  navigationLinks: { "Live example": "b2frame-live:" },
  // Its page is drawn by a script, so that links into it lead nowhere.
  includeHierarchySummary: false,
  navigation: { includeGroups: false, includeCategories: false, compactFolders: true },
};
