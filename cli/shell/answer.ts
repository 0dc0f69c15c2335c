import { formatTable, printable, type Table } from './table.ts';

/** Output of a command. */
export interface Answer {
  /** The object that `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** First line for people; the members of the object follow. */
  readonly title: string;
  /** Lines for people in place of the members. */
  readonly lines?: readonly string[];
  /** A table for people in place of title and members, unless it is empty. */
  readonly table?: Table;
  /** Last line for people: an advice. */
  readonly note?: string;
  /** Lines that `--quiet` prints: keys, and secrets that are shown only once; none by default. */
  readonly quiet?: readonly string[];
}

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: true;
  readonly quiet?: true;
}

/** Prints an answer: one line of JSON, only keys, or lines for people, which fit a terminal. */
export function printAnswer(answer: Answer, { json, quiet }: CommonOptions): void {
  const lines = json ? [JSON.stringify(answer.json)] : quiet ? (answer.quiet ?? []) : linesForPeople(answer);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function linesForPeople({ json, title, lines, table, note }: Answer): string[] {
  const { isTTY, columns } = process.stdout;
  const width = isTTY && columns > 0 ? columns : null;
  const isTable = table !== undefined && table.rows.length > 0;
  const body = isTable ? formatTable(table, width) : [title, ...(lines ?? (table ? [] : memberLines(json)))];
  return [...body, ...(note === undefined ? [] : [note])];
}

function memberLines(json: Answer['json']): string[] {
  const members = Object.entries(json).filter(([, value]) => formatValue(value) !== '');
  const width = Math.max(...members.map(([name]) => name.length));
  return members.flatMap(([name, value]) => {
    const isOfObjects = Array.isArray(value) && value.some((one) => typeof one === 'object');
    const texts = isOfObjects ? value.map(formatValue) : [formatValue(value)];
    return texts.map((text, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${text}`);
  });
}

/** Formats a value for people: texts of a list with commas, objects as JSON, nothing for null. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
