import type { CpuParts } from './duel/cpu-parts.ts';

/** One line of a bench: what was measured, its ratio, and the floor or ceiling it must keep. */
export interface BenchRow {
  readonly what: string;
  readonly ratio: number;
  readonly bound: string;
  readonly holds: boolean;
  readonly detail: string;
  /** Obstacle because of which the bound is not kept. */
  readonly why?: string | undefined;
  /** CPU time of a request of each side by what it is spent on; only of benches that profile. */
  readonly parts?: { readonly ours: CpuParts; readonly theirs: CpuParts };
}

/** A ratio that may not be lower than a floor. */
export function atLeast(what: string, ratio: number, floor: number, detail: string, why?: string): BenchRow {
  return { what, ratio, bound: `>= ${floor}`, holds: ratio >= floor, detail, why };
}

/** A ratio that may not be higher than a ceiling. */
export function atMost(what: string, ratio: number, ceiling: number, detail: string, why?: string): BenchRow {
  return { what, ratio, bound: `<= ${ceiling}`, holds: ratio <= ceiling, detail, why };
}
