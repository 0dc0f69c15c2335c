import type { MessageReader } from './message-reader.ts';
import { osmAnd } from './read-osm-and.ts';
import { overland } from './read-overland.ts';
import { ownTracks } from './read-own-tracks.ts';

/** All forms in which apps send positions, by their paths below `/ingest`. Mutations and the API description follow from them. */
export const MESSAGE_READERS: Readonly<Record<string, MessageReader>> = {
  owntracks: ownTracks,
  osmand: osmAnd,
  overland,
};
