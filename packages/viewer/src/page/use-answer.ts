/** Answers of the worker in components. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { OperationName, Operations } from "../worker/protocol.js";
import { ask, isAbort } from "./worker-client.js";

/** What is known of an answer. */
export interface Answered<T, Q = unknown> {
  /** What {@link value} answers. */
  readonly question: Q | undefined;
  /** The newest one that has come; that of an older question while a new one is under way. */
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly busy: boolean;
  /** Between 0 and 1, if it is told. */
  readonly progress: number | undefined;
}

/** A question that has not been answered for so long is given up for a newer one. */
const PATIENCE_MS = 400;

interface Queue<Name extends OperationName> {
  running: { readonly began: number; readonly controller: AbortController } | undefined;
  next: Operations[Name]["takes"] | undefined;
}

/**
 * Asks whenever the question changes. One question is under way at a time; of those that come meanwhile only the newest is asked, so that a
 * slider shows as many pictures as can be had and none too late.
 *
 * @param input undefined asks nothing.
 */
export function useAnswer<Name extends OperationName>(
  name: Name,
  input: Operations[Name]["takes"] | undefined,
): Answered<Operations[Name]["gives"], Operations[Name]["takes"]> {
  const [state, setState] = useState<Answered<Operations[Name]["gives"], Operations[Name]["takes"]>>({
    question: undefined,
    value: undefined,
    error: undefined,
    busy: false,
    progress: undefined,
  });
  const queue = useRef<Queue<Name>>({ running: undefined, next: undefined });
  const key = input === undefined ? undefined : JSON.stringify(input);

  useEffect(() => {
    if (input === undefined) return;
    const { current } = queue;
    const start = async (question: Operations[Name]["takes"]): Promise<void> => {
      const controller = new AbortController();
      current.running = { began: performance.now(), controller };
      const onProgress = (done: number, total: number): void =>
        setState((old) => ({ ...old, progress: total === 0 ? 0 : done / total }));
      try {
        const value = await ask(name, question, { signal: controller.signal, onProgress });
        setState({ question, value, error: undefined, busy: current.next !== undefined, progress: undefined });
      } catch (error) {
        if (!isAbort(error)) {
          setState({ question, value: undefined, error: error as Error, busy: false, progress: undefined });
        }
      }
      current.running = undefined;
      const { next } = current;
      current.next = undefined;
      if (next !== undefined) await start(next);
    };
    if (current.running === undefined) {
      setState((old) => ({ ...old, error: undefined, busy: true }));
      void start(input);
    } else {
      current.next = input;
      if (performance.now() - current.running.began > PATIENCE_MS) current.running.controller.abort();
    }
  }, [name, key]);

  useEffect(
    () => () => {
      queue.current.next = undefined;
      queue.current.running?.controller.abort();
    },
    [],
  );
  return state;
}
