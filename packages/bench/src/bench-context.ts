/** What all cases share: the request, the scratch folder, the data, the backends and the peers. @module */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IoBackend } from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { WorkerPool } from "@b2frame/workers";
import { type DataName, type Dataset, makeDataset } from "./datasets.js";
import { MIB } from "./parameters.js";
import type { CDriver } from "./peer/c-driver.js";

/** Counts of operations are given for this much data, and shrink with less. */
const FULL_MIB = 256;
const FEWEST_OPERATIONS = 8;

/** What a run is made with. */
export interface ContextOptions {
  /** For files; exists, and is removed by whoever made it. */
  readonly folder: string;
  /** Size of the data sets, in MiB. */
  readonly mib: number;
  readonly dataNames: readonly DataName[];
  readonly driver: CDriver | undefined;
  readonly numcodecs: boolean;
}

/** See the module's description. */
export class BenchContext {
  /** The backends that keep files, by name. */
  readonly backends: Readonly<Record<"stdio" | "mmap", IoBackend>> = { stdio: stdio(), mmap: mmap() };
  readonly dataNames: readonly DataName[];
  /** C-Blosc2, where it takes part. */
  readonly driver: CDriver | undefined;
  readonly numcodecs: boolean;
  /** Bytes in a data set. */
  readonly byteLength: number;
  readonly #folder: string;
  readonly #pools = new Map<number, WorkerPool>();
  readonly #scale: number;
  #dataset: Dataset | undefined;
  #datasetInDriver: string | undefined;
  #files = 0;

  constructor(options: ContextOptions) {
    this.#folder = options.folder;
    this.#scale = Math.min(1, options.mib / FULL_MIB);
    this.byteLength = options.mib * MIB;
    this.dataNames = options.dataNames;
    this.driver = options.driver;
    this.numcodecs = options.numcodecs;
  }

  /** Whether there is as much data as the counts of operations and the goals are for. */
  get fullSize(): boolean {
    return this.#scale === 1;
  }

  /** A count of operations, scaled down when there is little data. */
  count(operations: number): number {
    return Math.max(FEWEST_OPERATIONS, Math.round(operations * this.#scale));
  }

  /** The data sets of `names` that the run is to use; the first of `names` where that leaves none. */
  selectData(names: readonly DataName[]): readonly DataName[] {
    const selected = names.filter((name) => this.dataNames.includes(name));
    return selected.length > 0 ? selected : names.slice(0, 1);
  }

  /** That many worker threads, started once. They keep no process running. */
  pool(workers: number): WorkerPool {
    let pool = this.#pools.get(workers);
    if (pool === undefined) {
      pool = new WorkerPool({ workers });
      this.#pools.set(workers, pool);
    }
    return pool;
  }

  /** A data set of {@link byteLength} bytes. The last one is kept. */
  dataset(name: DataName): Dataset {
    if (this.#dataset?.name !== name) this.#dataset = makeDataset(name, this.byteLength);
    return this.#dataset;
  }

  /** A data set here and in the driver's memory. */
  async sharedDataset(name: DataName): Promise<Dataset> {
    const dataset = this.dataset(name);
    await this.shareData(name, dataset.bytes);
    return dataset;
  }

  /** Hands data that is no data set to the driver. */
  async shareData(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#datasetInDriver === name) return;
    await this.#hand("data", bytes);
    this.#datasetInDriver = name;
  }

  /** Hands positions of operations to the driver. */
  async shareIndices(indices: Int32Array): Promise<void> {
    await this.#hand("indices", new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength));
  }

  async #hand(slot: "data" | "indices", bytes: Uint8Array): Promise<void> {
    if (this.driver === undefined) return;
    const path = this.newPath();
    writeFileSync(path, bytes);
    await this.driver.load(slot, path);
    rmSync(path);
  }

  /** A path in the scratch folder where nothing is yet. */
  newPath(): string {
    this.#files += 1;
    return join(this.#folder, `${this.#files}.b2frame`);
  }

  /** Removes a file or folder of the scratch folder, if it is there. */
  remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }
}
