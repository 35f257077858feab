/**
 * Numbers of all items of an array, counted chunk by chunk: extremes, mean, standard deviation, NaN, zeros, a histogram. Parts may be counted
 * apart, on other threads or machines, and joined: the result is the same to the last bit.
 *
 * @module
 */
export { type BinCounts, coarser } from "./statistics/dyadic-histogram.js";
export type { PartialStatistics } from "./statistics/partial-statistics.js";
export { type Statistics, type StatisticsOptions, StatisticsRun } from "./statistics/statistics-run.js";
export { type StatisticsValues, statisticsValues } from "./statistics/value-source.js";
