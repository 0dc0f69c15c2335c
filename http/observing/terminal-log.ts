import type { DestinationStream } from 'pino';

/** Log levels from which a line is highlighted, in pino's scale. */
const WARN = 40;

interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [member: string]: unknown;
}

/** Writes log lines for people at a terminal, in place of JSON: time, what happened, and its details. */
export function terminalLog(terminal: { write(text: string): unknown }): DestinationStream {
  return { write: (line) => void terminal.write(readable(line)) };
}

function readable(line: string): string {
  const { level, time, msg = '', err, requestId, ...details } = JSON.parse(line) as LogLine;
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const words = Object.entries(details).map(([name, value]) => `${name}=${shown(value)}`);
  const isGrave = level >= WARN;
  const id = isGrave && requestId !== undefined ? [`requestId=${String(requestId)}`] : [];
  const text = [time.slice(11, 19), msg, ...words, ...id].join(' ');
  const stack = err ? `\n${err.stack ?? err.message ?? ''}` : '';
  return isGrave ? `\x1b[31m${text}\x1b[0m${stack}\n` : `\x1b[2m${text}\x1b[0m\n`;
}
