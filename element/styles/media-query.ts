/** What the reader's system prefers; null where nobody can say, as in server-side rendering. */
export function mediaQuery(query: string): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(query) : null;
}
