import type { FileFormat } from './file-formats.ts';
import type { ImportFaultKind } from './faults/import-fault.ts';

/** Advice for a file of which nothing could be read because of a fault; `written` is the first value that could not be read. */
export function adviceFor(kind: ImportFaultKind, format: FileFormat | undefined, written: string | undefined): string {
  if (kind === 'bad_time' || kind === 'untimed_trip') {
    const timeFormat = written === undefined ? null : timeFormatOf(written);
    if (timeFormat !== null) return `describe times such as ${written} with --time-format "${timeFormat}"`;
    return format?.advice.time ?? '';
  }
  if (kind === 'no_vehicle') return 'assign the column of the vehicle with --map vehicle=COLUMN';
  if (kind === 'no_join') return 'name the column that both files have with --on';
  return format?.advice.position ?? '';
}

const NUMERIC_DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

/** Describes a time as `--time-format` takes it; null if there is no way to. */
export function timeFormatOf(written: string): string | null {
  if (/^\d{9,10}(?:\.\d+)?$/.test(written)) return 'unix';
  if (/^\d{12,13}$/.test(written)) return 'unix-ms';
  const [date, _first, between, second, year = ''] = NUMERIC_DATE.exec(written) ?? [];
  const compact = /^\d{6}(?!\d)/.exec(written)?.[0];
  if (date === undefined && compact === undefined) return null;
  const [one, two] = Number(second) > 12 ? ['MM', 'DD'] : ['DD', 'MM'];
  const pattern = compact === undefined ? [one, two, 'YYYY'.slice(-year.length)].join(between) : 'YYMMDD';
  return pattern + clockOf(written.slice((date ?? compact ?? '').length));
}

/** Describes the rest of a time, after the date. */
function clockOf(written: string): string {
  const parts = ['hh', 'mm', 'ss'];
  return written
    .replace(/ ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/, '')
    .replace(/[.,]\d+/, '')
    .replace(/\d{6}/, 'hhmmss')
    .replace(/\d{1,2}/g, () => parts.shift() ?? '')
    .replace(/[ap]\.?m\.?$/i, 'AM');
}
