/** How wide output may be. @module */

/** What there is to fit where no terminal says how wide it is. */
const USUAL_WIDTH = 80;
/** Less is not written for. */
const LEAST_WIDTH = 40;

function statedWidth(): number | undefined {
  const stated = Number(process.env.COLUMNS);
  return Number.isInteger(stated) && stated > 0 ? Math.max(LEAST_WIDTH, stated) : undefined;
}

/** Columns of the terminal; undefined for a pipe or a file, into which lines of any length go, unless `COLUMNS` says otherwise. */
export function tableWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY === true ? Math.max(LEAST_WIDTH, columns) : statedWidth();
}

/** Columns of what is drawn, which has to end somewhere in a pipe, too. */
export function drawingWidth(): number {
  return tableWidth() ?? USUAL_WIDTH;
}
