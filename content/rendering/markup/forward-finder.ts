/** Makes a search for `needle` from growing positions: the next index, or -1. All searches read the text once. */
export function forwardFinder(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(needle, from);
    return found;
  };
}
