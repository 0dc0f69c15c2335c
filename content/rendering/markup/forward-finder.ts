/**
 * Makes a search for `needle` from positions that only grow: it returns the next index, or -1. All searches together read
 * the text once.
 */
export function forwardFinder(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(needle, from);
    return found;
  };
}
