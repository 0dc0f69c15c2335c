/** Returns a media query of the reader's system; null if there is none, as in server-side rendering. */
export function mediaQuery(query: string): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(query) : null;
}
