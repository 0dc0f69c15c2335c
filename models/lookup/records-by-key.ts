/**
 * Reads records that others name, by one query; no query if nothing is named.
 *
 * @param keys undefined for a field that was not read
 */
export async function recordsByKey<Found extends { readonly key: string }>(
  keys: readonly (string | null | undefined)[],
  read: (key: { readonly $in: string[] }) => Promise<readonly Found[]>,
): Promise<ReadonlyMap<string, Found>> {
  const wanted = [...new Set(keys)].filter((key) => key != null);
  const found = wanted.length > 0 ? await read({ $in: wanted }) : [];
  return new Map(found.map((record) => [record.key, record]));
}
