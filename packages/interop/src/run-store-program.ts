/** Binding a store program to a path. @module */
import { rmSync } from "node:fs";
import { SChunk } from "@b2frame/core";
import { createStore, openStore, type Store } from "@b2frame/stores";
import { sha256, stateDifference } from "./compare-state.js";
import { chooseParticipant, type Participant } from "./participants.js";
import type { ProgramRun } from "./program-run.js";
import type { MemberState, StoreProgram, StoreState, StoreStep } from "./store-program.js";

function sorted<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the store must hold. */
class StoreModel {
  readonly #type: StoreProgram["type"];
  readonly #members = new Map<string, MemberState>();
  readonly #attributes = new Map<string, Map<string, unknown>>();

  constructor(type: StoreProgram["type"]) {
    this.#type = type;
  }

  /** The groups that have attributes, sorted. */
  get groups(): string[] {
    return [...this.#attributes.keys()].sort();
  }

  apply(step: StoreStep): void {
    if (step.op === "set") {
      const { kind, dtype, shape, data } = step;
      this.#members.set(step.key, { kind, dtype, shape, content: sha256(data) });
    } else if (step.op === "delete") {
      this.#members.delete(step.key);
    } else {
      const attributes = this.#attributes.get(step.group) ?? new Map<string, unknown>();
      this.#attributes.set(step.group, attributes.set(step.name, step.value));
    }
  }

  get state(): StoreState {
    const attributes = new Map([...this.#attributes].map(([group, values]) => [group, sorted(values)]));
    return { type: this.#type, members: sorted(this.#members), attributes: sorted(attributes) };
  }
}

function applyStep(store: Store, step: StoreStep, { options }: Participant): void {
  if (step.op === "delete") store.delete(step.key);
  else if (step.op === "set-attribute") store.setAttributes({ [step.name]: step.value }, step.group);
  else if (step.kind === "array") {
    const { key, data, shape, dtype } = step;
    store.set(key, data.slice().buffer, { shape, dtype });
  } else {
    using schunk = SChunk.create({ ...options, data: step.data, chunksize: step.chunksize, typesize: 1 });
    store.set(step.key, schunk);
  }
}

function describeMember(store: Store, key: string): MemberState {
  if (store.kind(key) === "array") {
    using array = store.openArray(key);
    const { bytes } = array.getSlice();
    return { kind: "array", dtype: array.dtype.str, shape: array.shape, content: sha256(bytes) };
  }
  using schunk = store.openSChunk(key);
  const bytes = schunk.getSlice();
  return { kind: "super-chunk", dtype: "", shape: [bytes.byteLength], content: sha256(bytes) };
}

function describeStore(path: string, groups: readonly string[], participant: Participant): StoreState {
  const { backend, options } = participant;
  using store = openStore(path, backend, options);
  const members = new Map(store.keys().map((key) => [key, describeMember(store, key)]));
  const attributes = new Map(groups.map((group) => [group, sorted(store.attributes(group))]));
  return { type: store.type, members: sorted(members), attributes: sorted(attributes) };
}

/** `program` in a store at `path` with the suffix of its format; what is there is removed first. */
export function bindStoreProgram(
  program: StoreProgram,
  path: string,
  participants: readonly Participant[],
): ProgramRun<StoreStep, StoreState> {
  const { seed, first, format, type, threshold, segments } = program;
  const file = `${path}.${format}`;
  rmSync(file, { recursive: true, force: true });
  const participant = chooseParticipant(participants, seed, format !== "b2d");
  const { backend, options } = participant;
  const model = new StoreModel(type);
  return {
    first,
    segments,
    participant: participant.name,
    facts: { format, type, threshold },
    apply: (step) => model.apply(step),
    difference: (found) => stateDifference(model.state, found),
    write: (steps, isFirst) => {
      const storeType = type === "embed" ? {} : { type };
      using store = isFirst
        ? createStore(file, backend, { ...options, format, ...storeType })
        : openStore(file, backend, { ...options, mode: "r+" });
      for (const step of steps) applyStep(store, step, participant);
    },
    peerWrite: (steps, isFirst) => ["write-store", { path: file, type, threshold, create: isFirst, steps }],
    describe: () => describeStore(file, model.groups, participant),
    peerDescribe: () => ["describe-store", { path: file, groups: model.groups }],
  };
}
