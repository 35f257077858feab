import { PortableEngine } from "../../src/engine/portable-engine.js";
import { describeEngine } from "./describe-engine.js";

describeEngine("portable", (codecs, filters) => new PortableEngine(codecs, filters));
