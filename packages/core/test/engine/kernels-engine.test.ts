import { KernelsEngine } from "../../src/engine/kernels-engine.js";
import { describeEngine } from "./describe-engine.js";

describeEngine("kernels", (codecs, filters) => new KernelsEngine(codecs, filters));
