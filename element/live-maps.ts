/** Browsers keep 16 WebGL contexts a page and take the oldest away; the page may have some of its own. */
const MOST_LIVE_MAPS = 12;

/** A map that holds a WebGL context, and can do without for a while. */
export interface LiveMap {
  /** Whether the reader can see it now. */
  isInView(): boolean;
  /** Gives up its context until it is seen again. */
  sleep(): void;
}

/** The maps of this page, the one opened first in front. */
const live = new Set<LiveMap>();

/**
 * Counts a map that is about to be opened. Where there are too many, one out of view goes to sleep; a page that shows more
 * at once keeps them all, since a map in view is worth more than the browser's warning.
 */
export function openLiveMap(map: LiveMap): void {
  live.delete(map);
  if (live.size >= MOST_LIVE_MAPS) [...live].find((other) => !other.isInView())?.sleep();
  live.add(map);
}

/** Counts a map no longer. */
export function closeLiveMap(map: LiveMap): void {
  live.delete(map);
}
