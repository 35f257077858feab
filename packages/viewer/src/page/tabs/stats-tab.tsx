/** Numbers of all items, computed when they are asked for. @module */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComplexPart, FrameFacts, Statistics } from "../../worker/protocol.js";
import { Bars } from "../bars.js";
import { bytesText, countText, numberText, percentText } from "../format.js";
import { ask, isAbort } from "../worker-client.js";

/** See the module. */
export function StatsTab({ facts, part }: { readonly facts: FrameFacts; readonly part: ComplexPart }): JSX.Element {
  const [result, setResult] = useState<Statistics>();
  const [error, setError] = useState<Error>();
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);
  if (!facts.numeric) return <p class="hint">There are no numbers in items of type {facts.dtype}.</p>;

  const start = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setError(undefined);
    setResult(undefined);
    setProgress(0);
    try {
      const onProgress = (done: number, total: number): void => setProgress(done / Math.max(1, total));
      setResult(await ask("statistics", { frame: facts.frame, part }, { signal: controller.signal, onProgress }));
    } catch (failure) {
      if (!isAbort(failure)) setError(failure as Error);
    }
    setProgress(undefined);
  };

  return (
    <div class="stats">
      <div class="row">
        {progress === undefined ? (
          <button type="button" class="primary" onClick={() => void start()}>
            {result === undefined ? "Read all chunks" : "Read again"}
          </button>
        ) : (
          <button type="button" onClick={() => running.current?.abort()}>
            Cancel
          </button>
        )}
        {progress === undefined ? (
          <span class="hint">
            {result === undefined
              ? `decodes ${bytesText(facts.nbytes)}`
              : `took ${(result.milliseconds / 1000).toFixed(2)} s`}
          </span>
        ) : (
          <>
            <progress value={progress} aria-label="Chunks read" />
            <span class="hint">{Math.round(progress * 100)} %</span>
          </>
        )}
      </div>
      {error !== undefined && (
        <p class="problem" role="alert">
          {error.message}
        </p>
      )}
      {result !== undefined && <Result result={result} part={facts.dtypeKind === "c" ? part : undefined} />}
    </div>
  );
}

function Result({
  result,
  part,
}: {
  readonly result: Statistics;
  readonly part: ComplexPart | undefined;
}): JSX.Element {
  const { count, nans, infinities, zeros, sampled, sample } = result;
  const rows: [string, string, string?][] = [
    ["Minimum", result.min],
    ["Maximum", result.max],
    ["Mean", numberText(result.mean)],
    ["Standard deviation", numberText(result.std)],
    ["Items", countText(count)],
    ["Zeros", countText(zeros), percentText(zeros, count)],
    ["NaN", countText(nans), percentText(nans, count)],
    ["Infinite", countText(infinities), percentText(infinities, count)],
  ];
  return (
    <>
      {part !== undefined && <p class="hint">of the {part} of complex items</p>}
      <dl class="cards">
        {rows.map(([name, text, share]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {text} {share !== undefined && <span class="hint">{share}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {sample.finite > 0 && (
        <figure>
          <Bars counts={sample.bins} label="Histogram of the sample" softened />
          <div class="ends">
            <span>{numberText(sample.min)}</span>
            <span>{numberText(sample.max)}</span>
          </div>
          <figcaption class="hint">
            Histogram of {countText(sampled)} items, {percentText(sampled, count)} of all; heights are square roots of
            counts.
          </figcaption>
        </figure>
      )}
    </>
  );
}
