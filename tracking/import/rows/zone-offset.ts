const FIXED = /^([+-])(\d{2}):?(\d{2})$/;
const HOUR_MS = 3_600_000;

/** Offsets are computed once for each quarter of an hour: no zone changes within one. */
const QUARTER_MS = HOUR_MS / 4;
const MAX_KNOWN = 10_000;

/**
 * Makes a function that returns how far the clocks of a zone (`Z`, `±hh:mm` or an IANA name) are ahead of UTC, in
 * milliseconds, given what they show as if it were UTC. An hour that occurs twice means the earlier one; a skipped
 * hour is read as if the clock had not been set forward.
 *
 * @throws RangeError naming `--zone`, if it is unknown
 */
export function zoneOffset(zone: string): (shown: number) => number {
  if (zone === 'Z') return () => 0;
  const fixed = FIXED.exec(zone);
  if (fixed) {
    const offset = (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
    return () => offset;
  }
  const format = formatOf(zone);
  const known = new Map<number, number>();
  return (shown) => {
    const quarter = Math.floor(shown / QUARTER_MS);
    let offset = known.get(quarter);
    if (offset === undefined) {
      // The offset of the day before applies in the first of two equal hours, and leads to the correct one otherwise.
      const before = offsetAt(format, shown - 24 * HOUR_MS);
      const found = offsetAt(format, shown - before);
      offset = offsetAt(format, shown - found) === found ? found : before;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(quarter, offset);
    }
    return offset;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    const given = JSON.stringify(timeZone.slice(0, 40));
    throw new RangeError(`--zone must be an offset such as -03:00 or a zone such as America/Maceio, not ${given}`);
  }
}

function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000 : 0;
}
