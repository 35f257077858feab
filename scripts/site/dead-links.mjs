/** Links between pages of a folder that lead nowhere. @module */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const LINK = /<(?:a|link|img|script)\s[^>]*?\b(?:href|src)="([^"]*)"/g;
const ANCHOR = /\s(?:id|name)="([^"]*)"/g;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** @param {string} text of an attribute */
function decoded(text) {
  return decodeURIComponent(text.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));
}

/**
 * @param {string} folder of the site
 * @param {readonly string[]} pages paths of its pages
 * @returns {string[]} a line for each dead link: page, link, and what is missing
 */
export function deadLinks(folder, pages) {
  /** @type {Map<string, Set<string>>} */
  const anchorsOf = new Map();
  const anchors = (page) => {
    const known = anchorsOf.get(page);
    if (known !== undefined) return known;
    const found = new Set(Array.from(readFileSync(page, "utf8").matchAll(ANCHOR), ([, id]) => decoded(id)));
    anchorsOf.set(page, found);
    return found;
  };
  return pages.flatMap((page) => {
    const links = new Set(Array.from(readFileSync(page, "utf8").matchAll(LINK), ([, link]) => link));
    return [...links].flatMap((link) => {
      if (ELSEWHERE.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const file = path.split("?")[0] ?? "";
      const target = file === "" ? page : resolve(dirname(page), decoded(file));
      const where = `${relative(folder, page)}: ${link}`;
      if (!target.startsWith(folder)) return [`${where}: leads out of the site`];
      if (!existsSync(target)) return [`${where}: there is no such file`];
      if (statSync(target).isDirectory())
        return existsSync(join(target, "index.html")) ? [] : [`${where}: is a folder`];
      if (anchor === undefined || anchor === "" || !target.endsWith(".html")) return [];
      return anchors(target).has(decoded(anchor)) ? [] : [`${where}: there is no such place on that page`];
    });
  });
}
