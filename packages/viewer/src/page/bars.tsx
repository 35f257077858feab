/** Counts as bars. @module */
import type { JSX } from "preact";

interface Props {
  readonly counts: readonly number[];
  readonly label: string;
  /** Square roots, so that small counts are seen beside large ones. */
  readonly softened?: boolean;
}

/** See the module. */
export function Bars({ counts, label, softened = false }: Props): JSX.Element {
  const heights = counts.map((count) => (softened ? Math.sqrt(count) : count));
  const highest = Math.max(...heights, 1e-300);
  const width = 100 / Math.max(1, counts.length);
  return (
    <svg class="bars" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
      {heights.map((height, i) => {
        const tall = height === 0 ? 0 : Math.max(0.6, (height / highest) * 40);
        return <rect key={i} x={i * width} y={40 - tall} width={width * 0.92} height={tall} />;
      })}
    </svg>
  );
}
