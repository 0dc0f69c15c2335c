/** A record and those above it, from itself up. One that is above itself ends the way. */
export function* upFrom<T extends { readonly id: number; readonly parent: number }>(
  start: T,
  parentOf: (id: number) => T | undefined,
): Generator<T> {
  const seen = new Set<number>();
  for (let at: T | undefined = start; at && !seen.has(at.id); at = parentOf(at.parent)) {
    seen.add(at.id);
    yield at;
  }
}
