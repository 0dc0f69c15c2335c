let seconds = 10;

/** Sets the seconds in which a used refresh token gets its app the same successors again; 0 for none. */
export function setRefreshReuse(reuseSeconds: number): void {
  seconds = reuseSeconds;
}

/** Seconds in which a used refresh token gets its app the same successors again. */
export function refreshReuseSeconds(): number {
  return seconds;
}
