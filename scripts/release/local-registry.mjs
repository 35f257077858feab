/**
 * A registry on this machine that has the packed packages and sends for all others to the real one: what `npm install b2frame` will do
 * once they are published. Installing the tarballs by their paths is another thing; npm unpacks them three times.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/**
 * @typedef {object} PackedPackage
 * @property {string} tarball its path
 * @property {Record<string, any>} manifest as it is packed
 */

/**
 * What a registry says of a package that has one version.
 *
 * @param {PackedPackage} packed
 * @param {string} origin
 */
function describe({ tarball, manifest }, origin) {
  const { name, version, scripts = {} } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const described = {
    ...manifest,
    // From this field npm knows that there is something to run.
    hasInstallScript: INSTALL_SCRIPTS.some((script) => script in scripts),
    dist: { tarball: `${origin}/-/${basename(tarball)}`, integrity },
  };
  return { name, "dist-tags": { latest: version }, versions: { [version]: described } };
}

/**
 * @param {readonly PackedPackage[]} packages
 * @param {string} upstream the address of the real registry
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveRegistry(packages, upstream) {
  const byName = new Map(packages.map((packed) => [packed.manifest.name, packed]));
  const tarballs = new Map(packages.map(({ tarball }) => [`-/${basename(tarball)}`, tarball]));
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${server.address().port}`;
    const path = request.url.slice(1);
    const packed = byName.get(decodeURIComponent(path));
    const tarball = tarballs.get(path);
    if (packed !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(describe(packed, origin)));
    } else if (tarball !== undefined) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(readFileSync(tarball));
    } else {
      response.writeHead(302, { location: new URL(path, upstream).href }).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
