import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { FileItem } from '../rows/stream-position.ts';
import { isOnEarth } from '../rows/values.ts';

/** A position of a timeline; the time is NaN if it cannot be read. */
export interface TimedPlace {
  readonly lat: number;
  readonly lon: number;
  readonly time: number;
  readonly line: number;
}

/** An activity of a timeline, whose positions lie between its start and its end. */
interface Activity {
  readonly start: TimedPlace;
  readonly end: TimedPlace;
  readonly isDriven: boolean;
}

/** Adds a position of a timeline to a trip; one that cannot be read is reported. */
export function addPlace(recorded: RecordedTrip, { time, ...place }: TimedPlace): void {
  const read = Number.isNaN(time) ? ('unreadable' as const) : time;
  recorded.add({ ...place, time: read, isZoneMissing: false, speed: null, heading: null, events: [] });
}

/** Positions and activities of a telephone's timeline, which has them in separate segments. */
export class SegmentTrips {
  readonly #places: TimedPlace[] = [];
  readonly #activities: Activity[] = [];

  addPlace(place: TimedPlace): void {
    this.#places.push(place);
  }

  addActivity(activity: Activity): void {
    this.#activities.push(activity);
  }

  /** The trips of the drives, and what is in none; without any activity, the positions are those of a stream. */
  trips(): FileItem[] {
    const faulty = this.#places.filter((place) => !isOnEarth(place.lat, place.lon) || Number.isNaN(place.time));
    const items: FileItem[] = faulty.map(({ lat, lon, line }) => ({
      kind: 'left_out',
      fault: isOnEarth(lat, lon) ? 'bad_time' : 'no_position',
      line,
    }));
    const unread = new Set(faulty);
    const places = this.#places.filter((place) => !unread.has(place)).sort((a, b) => a.time - b.time);
    if (this.#activities.length === 0) return [...items, ...places.map(inStream)];
    let at = 0;
    for (const { start, end, isDriven } of this.#activities.sort((a, b) => a.start.time - b.start.time)) {
      for (let place = places[at]; place && place.time < start.time; place = places[++at]) {
        items.push({ kind: 'left_out', fault: 'no_activity', line: place.line });
      }
      const recorded = new RecordedTrip(start.line);
      addPlace(recorded, start);
      for (let place = places[at]; place && place.time <= end.time; place = places[++at]) {
        if (place.time > start.time && place.time < end.time) addPlace(recorded, place);
      }
      addPlace(recorded, end);
      if (isDriven) items.push({ kind: 'trip', vehicle: null, recorded });
      else items.push({ kind: 'left_out', fault: 'not_driven', line: start.line });
    }
    for (const { line } of places.slice(at)) items.push({ kind: 'left_out', fault: 'no_activity', line });
    return items;
  }
}

function inStream(place: TimedPlace): FileItem {
  const nothing = { events: [], vehicle: null, trip: null, isZoneMissing: false };
  return { kind: 'position', ...place, speed: null, heading: null, ...nothing };
}
