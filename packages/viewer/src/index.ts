/**
 * A page that shows Blosc2 frames and arrays. `b2frame view` serves it; a program can serve its folder, too.
 *
 * @module
 */

/**
 * The folder of the page's files, `index.html` among them; any web server can serve it.
 *
 * @example
 * ```ts
 * import { PAGE_FOLDER } from "@b2frame/viewer";
 *
 * console.log(new URL("index.html", PAGE_FOLDER).pathname);
 * ```
 */
export const PAGE_FOLDER: URL = new URL("../page/", import.meta.url);
