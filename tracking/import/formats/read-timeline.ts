import { FileError } from '../faults/import-failure.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem, LeftOut } from '../rows/stream-position.ts';
import { timeReader } from '../rows/time-reader.ts';
import { headingOf, isOnEarth, motionOf, numberOf } from '../rows/values.ts';
import { jsonValues } from './json-values.ts';
import { listOf, type Members, membersOf } from './json-members.ts';
import { addPlace, SegmentTrips, type TimedPlace } from './timeline-segments.ts';

/** Lists of the exports: `Records.json`, `Semantic Location History`, and `Timeline.json` of Android; iOS writes a bare list. */
const LISTS = ['$.locations.*', '$.timelineObjects.*', '$.semanticSegments.*'];
const NO_LIST = 'it is not Google Timeline: it has no locations, timelineObjects or semanticSegments';

/** Kinds of activities that are not drives. */
const NOT_DRIVEN =
  /^(?:WALKING|RUNNING|HIKING|STILL|CYCLING|FLYING|SWIMMING|SKIING|SNOWBOARDING|SKATING|IN_(?:TRAIN|SUBWAY|TRAM|CABLECAR|FUNICULAR|GONDOLA_LIFT|FERRY)|BOATING|SAILING|ROWING|KAYAKING)$/;

/**
 * Reads Google's location history. Locations of `Records.json` are positions of a stream. Each activity, of the Semantic
 * Location History or of the timeline of a telephone, is a trip with the positions that its time contains; those outside of
 * any, and activities that are not drives, are reported. Of a timeline, the positions are held in memory.
 * @throws FileError with the line where parsing stopped, after what is whole before it
 */
export async function* readTimeline(file: SourceFile, options: ReadOptions): AsyncGenerator<FileItem[]> {
  const reader = new TimelineReader(options);
  let isList = false;
  try {
    for await (const values of jsonValues(...(await startingOf(file.text())), 'Google Timeline')) {
      isList ||= values.length > 0;
      yield values.flatMap(({ member, value, line }) => reader.read(member, membersOf(value), line));
    }
  } catch (error) {
    yield reader.end();
    throw error;
  }
  if (!isList) throw new FileError(NO_LIST, { line: 1, column: 1 });
  yield reader.end();
}

/** Returns a text, and the paths of its lists by its first character. */
async function startingOf(text: AsyncGenerator<string>): Promise<[AsyncGenerator<string>, string[]]> {
  const { value = '' } = await text.next();
  const whole = (async function* () {
    yield value as string;
    yield* text;
  })();
  return [whole, (value as string).trimStart().startsWith('[') ? ['$.*'] : LISTS];
}

class TimelineReader {
  readonly #times: ReturnType<typeof timeReader>;
  readonly #milliseconds = timeReader({ timeFormat: 'unix-ms' });
  readonly #segments = new SegmentTrips();

  constructor(options: ReadOptions) {
    this.#times = timeReader({ ...options, timeFormat: 'iso' });
  }

  read(list: unknown, element: Members, line: number): FileItem[] {
    if (list === 'locations') return [this.#readLocation(element, line)];
    if (list === 'timelineObjects') return this.#readActivity(membersOf(element.activitySegment), line);
    this.#readSegment(element, line);
    return [];
  }

  end(): FileItem[] {
    return this.#segments.trips();
  }

  #timeOf(written: unknown, milliseconds?: unknown): number {
    const { time } = written === undefined ? this.#milliseconds(milliseconds) : this.#times(written);
    return typeof time === 'number' ? time : Number.NaN;
  }

  #readLocation(location: Members, line: number): FileItem {
    const [lat, lon] = [numberOf(location.latitudeE7) / 1e7, numberOf(location.longitudeE7) / 1e7];
    if (!isOnEarth(lat, lon)) return leftOut('no_position', line);
    const time = this.#timeOf(location.timestamp, location.timestampMs);
    if (Number.isNaN(time)) return leftOut('bad_time', line);
    const speed = motionOf(location.velocity, numberOf(location.velocity), Number.MAX_VALUE);
    const nothing = { events: [], vehicle: null, trip: null, isZoneMissing: false };
    return { kind: 'position', lat, lon, time, line, speed, heading: headingOf(location.heading), ...nothing };
  }

  /** Reads an activity of the Semantic Location History; the ways between that have no times are not read. */
  #readActivity(activity: Members, line: number): FileItem[] {
    const duration = membersOf(activity.duration);
    if (activity.duration === undefined) return [];
    if (!isDriven(activity.activityType)) return [leftOut('not_driven', line)];
    const e7 = (place: Members, time: number): TimedPlace => ({
      lat: numberOf(place.latitudeE7 ?? place.latE7) / 1e7,
      lon: numberOf(place.longitudeE7 ?? place.lngE7) / 1e7,
      time,
      line,
    });
    const path = listOf(membersOf(activity.simplifiedRawPath).points).map(membersOf);
    const places = [
      e7(membersOf(activity.startLocation), this.#timeOf(duration.startTimestamp, duration.startTimestampMs)),
      ...path.map((point) => e7(point, this.#timeOf(point.timestamp, point.timestampMs))),
      e7(membersOf(activity.endLocation), this.#timeOf(duration.endTimestamp, duration.endTimestampMs)),
    ];
    const recorded = new RecordedTrip(line);
    for (const place of places) addPlace(recorded, place);
    return [{ kind: 'trip', vehicle: null, recorded }];
  }

  /** Reads a segment of a telephone's timeline: positions, or the beginning and end of an activity. */
  #readSegment({ startTime, endTime, timelinePath, activity }: Members, line: number): void {
    const start = this.#timeOf(startTime);
    for (const point of listOf(timelinePath).map(membersOf)) {
      const minutes = numberOf(point.durationMinutesOffsetFromStartTime);
      const time = point.time === undefined ? start + minutes * 60_000 : this.#timeOf(point.time);
      this.#segments.addPlace({ ...degreesOf(point.point), time, line });
    }
    if (activity === undefined) return;
    const { start: from, end: to, topCandidate } = membersOf(activity);
    this.#segments.addActivity({
      start: { ...degreesOf(membersOf(from).latLng ?? from), time: start, line },
      end: { ...degreesOf(membersOf(to).latLng ?? to), time: this.#timeOf(endTime), line },
      isDriven: isDriven(membersOf(topCandidate).type),
    });
  }
}

/** Reads `53.21°, 8.62°` of Android, and `geo:53.21,8.62` of iOS. */
function degreesOf(written: unknown): { readonly lat: number; readonly lon: number } {
  const [lat, lon] = typeof written === 'string' ? written.replaceAll(/geo:|[°\s]/g, '').split(',') : [];
  return { lat: numberOf(lat), lon: numberOf(lon) };
}

function isDriven(type: unknown): boolean {
  return typeof type !== 'string' || !NOT_DRIVEN.test(type.toUpperCase().replaceAll(' ', '_'));
}

function leftOut(fault: LeftOut['fault'], line: number): LeftOut {
  return { kind: 'left_out', fault, line };
}
