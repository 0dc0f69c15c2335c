import { channel } from 'node:diagnostics_channel';

/** A look into a cache of answers, for those who measure the service. */
export interface AskedCache {
  readonly cache: 'trip_maps' | 'content';
  readonly isHit: boolean;
}

/** Tells who measures the service of each {@link AskedCache}. */
export const cacheAsked = channel('waybridge:cache-asked');
