/** The beginning of a decimal number, as opposed to one of base 2, 8 or 16, which `Number` reads as well. */
const DECIMAL = /^\s*[+-]?(?!0[box])[\d.]/i;

/** Reads a decimal number; NaN for anything else. */
export function numberOf(written: unknown): number {
  if (typeof written === 'number') return written;
  return typeof written === 'string' && DECIMAL.test(written) ? Number(written) : Number.NaN;
}

/** A number with a decimal comma, and dots between thousands if it has any. */
const DECIMAL_COMMA = /^\s*[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),\d+\s*$/;

/** Reads a number like {@link numberOf}, or one with a decimal comma. */
export function commaNumberOf(written: unknown): number {
  if (typeof written !== 'string' || !DECIMAL_COMMA.test(written)) return numberOf(written);
  return Number(written.replaceAll('.', '').replace(',', '.'));
}

/** Returns true for a number with a decimal comma. */
export function hasDecimalComma(written: unknown): boolean {
  return typeof written === 'string' && written.includes(',');
}

/** Hemispheres of each coordinate, the negative one last. */
const HEMISPHERES = { lat: 'NS', lon: 'EW' } as const;

/** Degrees, minutes and seconds, each of the latter two optional, with a hemisphere before or after them. */
const SPELLED =
  /^([NSEW]?) *([+-]?)(\d{1,3}(?:[.,]\d+)?) *[°º]? *(?:(\d{1,2}(?:[.,]\d+)?) *['′’] *)?(?:(\d{1,2}(?:[.,]\d+)?) *(?:"|''|″|”) *)?([NSEW]?)$/i;

/** Reads a coordinate as people write it: `53.21`, `53,21`, `53.21N`, `W 8.5`, `53°12'36"N`; NaN for anything else. */
export function degreesOf(written: unknown, name: 'lat' | 'lon'): number {
  const plain = numberOf(written);
  return Number.isNaN(plain) && typeof written === 'string' ? spelledDegrees(written, name) : plain;
}

/** Reads a coordinate with a decimal comma, a hemisphere, or minutes; NaN for anything else. */
export function spelledDegrees(written: string, name: 'lat' | 'lon'): number {
  const [, before = '', sign, degrees, minutes, seconds, after = ''] = SPELLED.exec(written.trim()) ?? [];
  const hemisphere = (before + after).toUpperCase();
  if (degrees === undefined || hemisphere.length > 1 || !HEMISPHERES[name].includes(hemisphere)) return Number.NaN;
  const part = (number = '0') => Number(number.replace(',', '.'));
  const value = part(degrees) + part(minutes) / 60 + part(seconds) / 3600;
  return (sign === '-') !== (hemisphere === HEMISPHERES[name][1]) ? -value : value;
}

/** Returns text without white space around it; null if there is none. */
export function textOf(written: unknown): string | null {
  if (typeof written !== 'string')
    return typeof written === 'number' || typeof written === 'boolean' ? String(written) : null;
  return written.trim() || null;
}

/** Returns true for a value that is missing, or text of nothing but white space. */
export function isEmpty(written: unknown): boolean {
  return written === undefined || written === null || (typeof written === 'string' && written.trim() === '');
}

/** Degrees clockwise from north, from 0 to 360; null if there is no heading, NaN if it is impossible. */
export function headingOf(written: unknown): number | null {
  return motionOf(written, numberOf(written), 360);
}

/** Checks a speed or a heading: null if it is not known, for which phones write -1, NaN if it is impossible. */
export function motionOf(written: unknown, value: number, max: number): number | null {
  return value === -1 ? null : measureOf(written, value, max);
}

/** Checks a number that is never negative: null if there is none, NaN if it is impossible. */
export function measureOf(written: unknown, value: number, max: number): number | null {
  if (isEmpty(written)) return null;
  return value >= 0 && value <= max ? value : Number.NaN;
}

/** Reads events from a list, or from text separated by white space, commas or semicolons. */
export function eventsOf(written: unknown): readonly string[] {
  if (Array.isArray(written)) return written.filter((event) => typeof event === 'string');
  return typeof written === 'string' ? written.split(/[\s,;]+/).filter((event) => event !== '') : [];
}

/** Returns true for a possible position, in degrees. */
export function isOnEarth(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}
