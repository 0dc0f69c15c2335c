import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem, LeftOut, StreamPosition } from '../rows/stream-position.ts';
import { SPEED_UNITS } from '../../geometry/speeds.ts';
import { linesOf, type TextLine } from '../rows/text-lines.ts';
import { headingOf, isOnEarth, motionOf, numberOf } from '../rows/values.ts';

/** A sentence within a line, which a logger may have begun with a time of its own. */
const SENTENCE = /\$([A-Z]{2}(RMC|GGA),[^*$]*)(?:\*([0-9A-Fa-f]{2}))?\s*$/;
const CLOCK = /^(\d{2})(\d{2})(\d{2}(?:\.\d+)?)$/;
const DATE = /^(\d{2})(\d{2})(\d{2})$/;
const DAY_MS = 86_400_000;
/** Two-digit years from this one on are of the 20th century: GPS began in 1980. */
const FIRST_YEAR = 80;

/** A fix without a date. */
interface UndatedFix {
  readonly clock: number;
  readonly lat: number;
  readonly lon: number;
  readonly line: number;
}

/**
 * Reads the positions in a log of NMEA 0183: RMC sentences with their speeds (knots) and courses, and GGA sentences where
 * no RMC has the same time of day. The date is that of the last RMC. Other sentences are skipped, also bytes between them.
 * @see https://gpsd.gitlab.io/gpsd/NMEA.html
 */
export async function* readNmea(file: SourceFile): AsyncGenerator<FileItem[]> {
  const reader = new NmeaReader();
  try {
    for await (const lines of linesOf(file.text(() => 'windows-1252')))
      yield lines.flatMap((line) => reader.read(line));
  } catch (error) {
    yield reader.end();
    throw error;
  }
  yield reader.end();
}

class NmeaReader {
  /** True once a sentence had a checksum: one without is truncated from then on. */
  #hasChecksums = false;
  /** Midnight of the last RMC, and the time of day of it. */
  #day: number | null = null;
  #clock = Number.NaN;
  /** The last GGA, until it is known that no RMC has its time. */
  #waiting: UndatedFix | null = null;

  read({ text, line }: TextLine): FileItem[] {
    const [, sentence, kind, checksum] = SENTENCE.exec(text) ?? [];
    if (sentence === undefined) return [];
    if (checksum === undefined ? this.#hasChecksums : Number.parseInt(checksum, 16) !== checksumOf(sentence)) {
      return [leftOut('bad_checksum', line)];
    }
    this.#hasChecksums ||= checksum !== undefined;
    const fields = sentence.split(',');
    return kind === 'RMC' ? this.#readRmc(fields, line) : this.#readGga(fields, line);
  }

  /** Returns the position that still waited for an RMC. */
  end(): FileItem[] {
    const fix = this.#waiting;
    this.#waiting = null;
    if (!fix) return [];
    if (this.#day === null || Number.isNaN(fix.clock)) return [leftOut('bad_time', fix.line)];
    // The clock of a later fix is earlier only if midnight has passed since the RMC.
    const isNextDay = fix.clock < this.#clock - DAY_MS / 2;
    return [positionOf(fix, this.#day + fix.clock + (isNextDay ? DAY_MS : 0), null, null)];
  }

  #readRmc([, time = '', status, lat, south, lon, west, speed, course, date = '']: string[], line: number): FileItem[] {
    const fix = { clock: clockOf(time), lat: degreesOf(lat, south), lon: degreesOf(lon, west), line };
    if (this.#waiting?.clock === fix.clock) this.#waiting = null;
    const earlier = this.end();
    const day = dayOf(date);
    if (day !== null && !Number.isNaN(fix.clock)) [this.#day, this.#clock] = [day, fix.clock];
    if (status !== 'A' || !isOnEarth(fix.lat, fix.lon)) return [...earlier, leftOut('no_position', line)];
    if (day === null || Number.isNaN(fix.clock)) return [...earlier, leftOut('bad_time', line)];
    const knots = motionOf(speed, numberOf(speed), Number.MAX_VALUE);
    const meters = knots === null ? null : knots * SPEED_UNITS.kn;
    return [...earlier, positionOf(fix, day + fix.clock, meters, headingOf(course))];
  }

  #readGga([, time = '', lat, south, lon, west, quality]: string[], line: number): FileItem[] {
    const fix = { clock: clockOf(time), lat: degreesOf(lat, south), lon: degreesOf(lon, west), line };
    if (fix.clock === this.#clock || fix.clock === this.#waiting?.clock) return [];
    const earlier = this.end();
    if (numberOf(quality) === 0 || !isOnEarth(fix.lat, fix.lon)) return [...earlier, leftOut('no_position', line)];
    this.#waiting = fix;
    return earlier;
  }
}

function positionOf(
  { lat, lon, line }: UndatedFix,
  time: number,
  speed: number | null,
  heading: number | null,
): StreamPosition {
  const nothing = { events: [], vehicle: null, trip: null, isZoneMissing: false };
  return { kind: 'position', lat, lon, line, time, speed, heading, ...nothing };
}

function leftOut(fault: LeftOut['fault'], line: number): LeftOut {
  return { kind: 'left_out', fault, line };
}

/** The characters between `$` and `*`, combined by exclusive or. */
function checksumOf(sentence: string): number {
  let sum = 0;
  for (let at = 0; at < sentence.length; at++) sum ^= sentence.charCodeAt(at);
  return sum;
}

/** Reads `hhmmss.sss` as milliseconds since midnight; NaN if it is none. */
function clockOf(text: string): number {
  const [, hours, minutes, seconds] = CLOCK.exec(text) ?? [];
  return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}

/** Reads `ddmmyy` as the midnight with which it begins; null if it is none. */
function dayOf(text: string): number | null {
  const [, day, month, year] = DATE.exec(text)?.map(Number) ?? [];
  if (day === undefined || month === undefined || year === undefined) return null;
  const midnight = Date.UTC(year + (year < FIRST_YEAR ? 2000 : 1900), month - 1, day);
  return new Date(midnight).getUTCMonth() === month - 1 ? midnight : null;
}

/** Reads degrees and minutes, `ddmm.mmm` or `dddmm.mmm`, of which south and west are negative; NaN if it is none. */
function degreesOf(text: string | undefined, side: string | undefined): number {
  const written = numberOf(text);
  const degrees = Math.trunc(written / 100);
  return (degrees + (written - degrees * 100) / 60) * (side === 'S' || side === 'W' ? -1 : 1);
}
