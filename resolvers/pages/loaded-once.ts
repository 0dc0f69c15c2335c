/**
 * Loads, when the first record of a list is asked for it, what a field of each of them shows: one query however many
 * there are, and none where nobody asks.
 */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
