/** Pieces of work that are under way at once, so that the database takes them in few turns. */
const AT_A_TIME = 64;

/** Does a piece of work for each item, some of them at once; answers in the order of the items. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(at, at + AT_A_TIME).map(work))));
  }
  return results;
}
