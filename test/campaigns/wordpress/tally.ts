import type { Difference, Level } from './compare-answers.ts';
import { EXPLAINED, type Explanation } from './explained.ts';
import type { GeneratedRequest } from './generated-request.ts';

/** A difference, with the row that explains it; null where none does. */
export type ExplainedDifference = Difference & { readonly explanation: Explanation | null };

/** Differences of one kind at one endpoint. */
export interface Group {
  readonly endpoint: string;
  readonly kind: string;
  readonly level: Level;
  count: number;
  readonly explanation: Explanation | null;
  /** The first request that showed it, with what was said. */
  readonly request: GeneratedRequest;
  readonly theirs: string;
  readonly ours: string;
}

/** Requests of one endpoint, and how many of them agreed up to each level; what is explained agrees. */
export interface EndpointTally {
  readonly endpoint: string;
  requests: number;
  readonly agreed: [number, number, number];
}

/** Counts differences by endpoint and kind. */
export class Tally {
  readonly #groups = new Map<string, Group>();
  readonly #endpoints = new Map<string, EndpointTally>();
  requests = 0;
  /** Requests with a difference that nothing explains. */
  differing = 0;
  /** Requests with explained differences alone. */
  explained = 0;

  /** Counts a request, and explains its differences. */
  add(request: GeneratedRequest, differences: readonly Difference[]): ExplainedDifference[] {
    const { endpoint } = request;
    const found = differences.map((one) => ({ ...one, explanation: explanationOf(endpoint, request, one) }));
    let level: 0 | Level = 3;
    for (const difference of found) {
      if (difference.explanation === null) level = Math.min(level, difference.level - 1) as 0 | Level;
      const key = JSON.stringify([endpoint, difference.kind, difference.explanation?.what]);
      const group = this.#groups.get(key) ?? { endpoint, ...difference, count: 0, request };
      group.count += 1;
      this.#groups.set(key, group);
    }
    this.requests += 1;
    if (level < 3) this.differing += 1;
    else if (found.length > 0) this.explained += 1;
    this.#count(endpoint, level);
    return found;
  }

  /** Groups by falling count: those that nothing explains, or those that something does. */
  groups(isExplained: boolean): Group[] {
    return [...this.#groups.values()]
      .filter(({ explanation }) => (explanation !== null) === isExplained)
      .toSorted((a, b) => b.count - a.count);
  }

  /** A row for each endpoint, in the order of names. */
  endpoints(): EndpointTally[] {
    return [...this.#endpoints.values()].toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
  }

  #count(endpoint: string, level: 0 | Level): void {
    const row = this.#endpoints.get(endpoint) ?? { endpoint, requests: 0, agreed: [0, 0, 0] };
    row.requests += 1;
    for (let at = 0; at < level; at += 1) row.agreed[at as 0 | 1 | 2] += 1;
    this.#endpoints.set(endpoint, row);
  }
}

/** The row that explains a difference; null without one. */
export function explanationOf(
  endpoint: string,
  { about, login }: Pick<GeneratedRequest, 'about' | 'login'>,
  { kind, theirs, ours }: Difference,
  rows: readonly Explanation[] = EXPLAINED,
): Explanation | null {
  const found = rows.find(
    (row) =>
      row.kind.test(kind) &&
      (row.at?.test(endpoint) ?? true) &&
      (row.theirs?.test(theirs) ?? true) &&
      (row.ours?.test(ours) ?? true) &&
      (row.by?.test(login ?? 'visitor') ?? true) &&
      (row.about?.test(about) ?? true),
  );
  return found ?? null;
}
