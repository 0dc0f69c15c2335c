/** Number of concurrent tasks, so that the database answers many in one turn. */
const AT_A_TIME = 64;

/** Runs a task for each item, some concurrently; returns the results in the order of the items. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atATime = AT_A_TIME,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += atATime) {
    results.push(...(await Promise.all(items.slice(at, at + atATime).map(work))));
  }
  return results;
}
