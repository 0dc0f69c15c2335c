/** Output of a command. */
export interface Answer {
  /** The object that `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** First line for people; the members of the object follow. */
  readonly title: string;
  /** Lines for people in place of the members, for a list. */
  readonly lines?: readonly string[];
  /** Last line for people: an advice. */
  readonly note?: string;
}

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: true;
}

/** Prints an answer: one line of JSON, or lines for people. */
export function printAnswer(answer: Answer, { json }: CommonOptions): void {
  process.stdout.write(formatAnswer(answer, json === true));
}

function formatAnswer({ json, title, lines, note }: Answer, asJson: boolean): string {
  if (asJson) return `${JSON.stringify(json)}\n`;
  const width = Math.max(...Object.keys(json).map((name) => name.length));
  const members = Object.entries(json).map(([name, value]) => `  ${name.padEnd(width)}  ${String(value)}`);
  return `${[title, ...(lines ?? members), ...(note === undefined ? [] : [note])].join('\n')}\n`;
}
