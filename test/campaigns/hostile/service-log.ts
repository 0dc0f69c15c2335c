import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

/** A line with this level or more is a fault of the service, as pino counts: error. */
const FAULT_LEVEL = 50;
const MAX_FINDINGS = 50;

/** Reads the log of a service while it runs, and keeps what should not be in it. */
export class ServiceLog {
  /** Lines that tell of a fault, are no log lines, or have a secret in them. */
  readonly findings: string[] = [];
  lines = 0;
  readonly #secrets = new Set<string>();
  readonly #waiting = new Map<string, (line: Record<string, unknown>) => void>();

  /** Reads what a service prints to standard error. */
  follow(stream: Readable): void {
    createInterface({ input: stream }).on('line', (line) => this.read(line));
  }

  /** Adds what must not be in a line. */
  hide(secrets: Iterable<string>): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** Resolves with the next line that has a member of this name. */
  next(member: string): Promise<Record<string, unknown>> {
    return new Promise((resolve) => this.#waiting.set(member, resolve));
  }

  /** Judges one line. */
  read(line: string): void {
    this.lines++;
    const found = readObject(line);
    const leaked = [...this.#secrets].find((secret) => line.includes(secret));
    if (leaked !== undefined) this.#keep(`a secret is in the log: ${line}`);
    if (found === null) {
      this.#keep(`standard error: ${line}`);
      return;
    }
    for (const [member, resolve] of this.#waiting) {
      if (!Object.hasOwn(found, member)) continue;
      this.#waiting.delete(member);
      resolve(found);
      return;
    }
    if (typeof found.level !== 'number' || found.level >= FAULT_LEVEL) this.#keep(`log: ${line}`);
  }

  #keep(finding: string): void {
    if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
  }
}

function readObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
