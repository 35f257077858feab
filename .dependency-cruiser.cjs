/**
 * The import rules: packages point one way, the layers of core point one way, and core runs outside Node.
 * `pnpm run architecture` checks them.
 */

/** What each package may import of ours. The names are folders of `packages/`. */
const PACKAGE_IMPORTS = {
  kernels: [],
  core: ["kernels"],
  "io-contract": ["core"],
  "file-lock": ["core"],
  "io-files": ["core"],
  "io-stdio": ["core", "file-lock", "io-files"],
  "io-mmap": ["core", "file-lock", "io-files"],
  "node-codecs": ["core"],
  stores: ["core"],
  zarr: ["core"],
  remote: ["core", "stores"],
  viewer: ["core", "remote", "stores"],
  workers: ["core", "io-stdio", "io-mmap", "node-codecs"],
  parts: ["core", "io-stdio"],
  b2frame: [
    "core",
    "file-lock",
    "io-files",
    "io-stdio",
    "io-mmap",
    "node-codecs",
    "parts",
    "remote",
    "stores",
    "workers",
    "viewer",
  ],
  bench: ["core", "kernels", "io-stdio", "io-mmap", "node-codecs", "b2frame", "interop", "remote", "workers", "zarr"],
  conformance: ["core", "io-stdio", "io-mmap", "node-codecs"],
  torture: ["core", "io-stdio", "io-mmap", "io-contract", "node-codecs", "interop", "parts", "remote", "workers"],
  fuzz: ["core", "io-stdio", "node-codecs", "stores", "interop"],
  interop: ["core", "io-stdio", "io-mmap", "node-codecs", "b2frame", "stores", "zarr"],
};

/**
 * The layers of core, top first, as patterns under `packages/core/src/`. A layer imports only what stands below it.
 */
const CORE_LAYERS = [
  "verify/",
  "b2nd/",
  "statistics/",
  "super-chunk/",
  "frame/",
  "chunk/",
  "engine/",
  "block/",
  "filter/",
  "codec/",
  "io/",
  "values/",
  "bytes/",
  "streams/",
  "checks/",
];

const packageRules = Object.entries(PACKAGE_IMPORTS).map(([name, allowed]) => ({
  name: `package-${name}`,
  comment: `packages/${name} may import ${allowed.length === 0 ? "no other package" : `only ${allowed.join(", ")}`} of ours`,
  severity: "error",
  from: { path: `^packages/${name}/src/` },
  to: { path: "^packages/", pathNot: `^packages/(?:${[name, ...allowed].join("|")})/` },
}));

const layerRules = CORE_LAYERS.slice(1).map((layer, index) => ({
  name: `core-layer-${index + 1}`,
  comment: `core's ${layer} may not import a layer above it`,
  severity: "error",
  from: { path: `^packages/core/src/${layer}` },
  to: { path: `^packages/core/src/(?:${CORE_LAYERS.slice(0, index + 1).join("|")})` },
}));

module.exports = {
  forbidden: [
    ...packageRules,
    ...layerRules,
    {
      name: "core-errors-at-the-bottom",
      comment: "errors.ts imports nothing",
      severity: "error",
      from: { path: "^packages/core/src/errors\\.ts$" },
      to: {},
    },
    {
      name: "core-index-at-the-top",
      comment: "nothing inside core imports its public index",
      severity: "error",
      from: { path: "^packages/core/src/.+/" },
      to: { path: "^packages/core/src/index\\.ts$" },
    },
    {
      name: "core-io-from-frame-only",
      comment: "only frames, and what creates or opens them, do I/O; others may name its types",
      severity: "error",
      from: {
        path: "^packages/core/src/(?:b2nd|super-chunk|chunk|block|engine|filter|codec|bytes)/",
        pathNot: "/(?:open|create|copy|super-chunk|append-file)[^/]*\\.ts$",
      },
      to: { path: "^packages/core/src/io/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "core-frames-change-in-frame-only",
      comment:
        "what a frame holds is changed by the frame; others see a table of chunks and a header that can only be read",
      severity: "error",
      from: { path: "^packages/core/src/", pathNot: "^packages/core/src/frame/" },
      to: {
        path: "^packages/core/src/frame/(?:editable-chunk-table|frame-base|contiguous-state|stored-form)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "core-chunks-know-no-files",
      comment: "below frames, bytes come from a ChunkSource",
      severity: "error",
      from: { path: "^packages/core/src/(?:chunk|block|engine|filter|codec|bytes)/" },
      to: { path: "^packages/core/src/io/" },
    },
    {
      name: "no-node-built-ins-in-core-and-kernels",
      comment: "core and kernels run in browsers as well",
      severity: "error",
      from: { path: "^packages/(?:core|kernels|remote|stores|viewer|zarr)/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "no-cycles",
      comment: "no module needs another that needs it when it is loaded; types may name each other",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^mmap-io$" },
    },
    {
      name: "declared-dependencies-only",
      comment: "what a package's sources import is in its package.json; the viewer's page is bundled",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/viewer/src/(?:page|worker)/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-tests-in-sources",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { path: "/test/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    preserveSymlinks: false,
    exclude: { path: "(?:^|/)(?:dist/.+\\.d\\.ts|assembly/)" },
    doNotFollow: { path: "node_modules|/dist/" },
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
  },
};
