/** Browsers keep 16 WebGL contexts a page and take the oldest away; the page may have some of its own. */
const MAX_LIVE_MAPS = 12;

/** A map that holds a WebGL context, and can do without for a while. */
export interface LiveMap {
  /** Whether the reader can see it now. */
  isInView(): boolean;
  /** Whether it is not drawn yet, or the reader is at it. */
  isBusy(): boolean;
  /** Gives up its context, until it is seen again or, in view, until the reader wants it. */
  sleep(): Promise<void>;
}

/** The maps of this page, the one opened first in front. */
const live = new Set<LiveMap>();

/** Told when a map has closed or is no longer busy. */
let waiting: (() => void)[] = [];

/**
 * Counts a map that is about to be opened. Where there are too many, another goes to sleep before: one out of view if there
 * is any, else the oldest that is not busy. Resolves at once if `signal` is aborted.
 */
export async function openLiveMap(map: LiveMap, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const others = [...live].filter((other) => other !== map);
    const crowded = others.length >= MAX_LIVE_MAPS;
    const sleeper = others.find((other) => !other.isInView()) ?? others.find((other) => !other.isBusy());
    if (!crowded || sleeper) live.add(map);
    if (!crowded) return;
    if (sleeper) {
      live.delete(sleeper);
      return sleeper.sleep();
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** Counts a map no longer. */
export function closeLiveMap(map: LiveMap): void {
  live.delete(map);
  reviewLiveMaps();
}

/** Lets those that wait look again for a map that can sleep; to be called when a map is no longer busy. */
export function reviewLiveMaps(): void {
  const told = waiting;
  waiting = [];
  for (const tell of told) tell();
}
