import type { WriteStream } from 'node:tty';

const WIDTH = 24;
const EVERY_MS = 100;

/** A line on a terminal that is drawn over itself, at most ten times a second; nowhere else is anything drawn. */
export class ProgressBar {
  readonly #terminal: WriteStream | null;
  #drawn = 0;

  /** @param stream where to draw if it is a terminal, usually standard error */
  constructor(stream: NodeJS.WriteStream) {
    this.#terminal = stream.isTTY ? stream : null;
  }

  /** Draws how much is done, from 0 to 1, and what. */
  draw(share: number, label: string): void {
    const now = Date.now();
    if (!this.#terminal || (share < 1 && now - this.#drawn < EVERY_MS)) return;
    this.#drawn = now;
    const filled = Math.round(Math.min(1, share) * WIDTH);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    const line = `${bar} ${String(Math.round(share * 100)).padStart(3)} %  ${label}`;
    this.#terminal.write(`\r\x1b[K${line.slice(0, Math.max(20, this.#terminal.columns - 1))}`);
  }

  /** Clears the line, so that the following output stands alone. */
  clear(): void {
    if (this.#drawn > 0) this.#terminal?.write('\r\x1b[K');
    this.#drawn = 0;
  }
}
