/**
 * Finds `needle` for positions that only grow: gives where it next begins, or -1. However often it is asked, the text is read
 * once.
 */
export function forwardFinder(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(needle, from);
    return found;
  };
}
