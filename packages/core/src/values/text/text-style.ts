/** How arrays are printed: NumPy's print options. @module */

/** What NumPy calls the same, `linewidth` and `edgeitems` apart. */
export interface TextStyle {
  /** Most digits after the point. */
  readonly precision: number;
  /** Items up to which all are shown. */
  readonly threshold: number;
  /** Items at either end of a dimension of which not all are. */
  readonly edgeItems: number;
  /** Characters of a line. */
  readonly lineWidth: number;
}

/** NumPy's own. */
export const USUAL_STYLE: TextStyle = { precision: 8, threshold: 1000, edgeItems: 3, lineWidth: 75 };
