/** Names with what there is to each. @module */
import type { JSX } from "preact";

/** See the module. */
export function DefinitionList({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, text: string])[];
}): JSX.Element {
  return (
    <dl>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
