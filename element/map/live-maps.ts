/** Browsers keep 16 WebGL contexts a page and drop the oldest; the page may have some of its own. */
const MAX_LIVE_MAPS = 12;

/** A map that holds a WebGL context, and can be suspended. */
export interface LiveMap {
  /** Returns true if the reader can see it now. */
  isInView(): boolean;
  /** Returns true while it is being drawn, or the reader is using it. */
  isBusy(): boolean;
  /** Releases its context, until it is visible again or, if visible, until the reader uses it. */
  suspend(): Promise<void>;
}

/** The maps of this page, in the order in which they were opened. */
const live = new Set<LiveMap>();

/** Callbacks of maps that wait until another has closed or is no longer busy. */
const waiting = new Set<() => void>();

/** Registers a map to be opened; if there are too many, suspends one: out of view if possible, else the oldest idle. */
export async function openLiveMap(map: LiveMap, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const others = [...live].filter((other) => other !== map);
    const full = others.length >= MAX_LIVE_MAPS;
    const candidate = others.find((other) => !other.isInView()) ?? others.find((other) => !other.isBusy());
    if (!full || candidate) live.add(map);
    if (!full) return;
    if (candidate) {
      live.delete(candidate);
      return candidate.suspend();
    }
    await new Promise<void>((resolve) => waiting.add(resolve));
  }
}

/** Removes a map that has closed. */
export function closeLiveMap(map: LiveMap): void {
  live.delete(map);
  reviewLiveMaps();
}

/** Lets waiting maps look again for one to suspend; call it when a map is no longer busy. */
export function reviewLiveMaps(): void {
  const callbacks = [...waiting];
  waiting.clear();
  for (const callback of callbacks) callback();
}
