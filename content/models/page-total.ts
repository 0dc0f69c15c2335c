/** A page that was found in a list. */
interface FoundPage {
  /** Records on it. */
  readonly found: number;
  /** Records of the list before it. */
  readonly skip: number;
  /** Most records that it may have. */
  readonly limit: number;
}

/** Returns the total of a list. It is counted only where the page does not tell: one with room left is the last one. */
export async function totalBy({ found, skip, limit }: FoundPage, count: () => Promise<number>): Promise<number> {
  const isLast = found < limit && (found > 0 || skip === 0);
  return isLast ? skip + found : count();
}
