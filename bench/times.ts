/**
 * The times of those who wait for an answer if a request is due at a steady pace, in milliseconds: while one takes
 * longer, those that were due meanwhile wait too. Without them, a service that stalls now and then would look quick,
 * since a client that waits for its answer sees each stall once.
 *
 * @param time of the answer
 * @param everyMs the pace; Infinity if the next request follows on the answer
 */
export function waitTimes(time: number, everyMs: number): number[] {
  const times = [time];
  for (let left = time - everyMs; left > 0; left -= everyMs) times.push(left);
  return times;
}

/** The median of numbers, of an even number the lower; NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The least time that a share of the times does not exceed; NaN without times. */
export function percentile(times: readonly number[], share: number): number {
  const ascending = times.toSorted((one, other) => one - other);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? Number.NaN;
}

/**
 * Does works by turns, so that what else the machine does weighs on all of them. Returns what each has measured in its turns
 * but for the first ones, which warm up.
 */
export async function byTurns(
  turns: number,
  warmUps: number,
  works: readonly (() => Promise<number | readonly number[]>)[],
): Promise<number[][]> {
  const measured = works.map((): number[] => []);
  for (let turn = -warmUps; turn < turns; turn++) {
    for (const [at, work] of works.entries()) {
      const values = await work();
      if (turn >= 0) measured[at]?.push(...[values].flat());
    }
  }
  return measured;
}
