import { connect, type TLSSocket } from 'node:tls';

import { type Answer, AnswerReader } from './answer-reader.ts';
import type { HostileRequest } from './hostile-request.ts';

/** After this time a request counts as hanging, in milliseconds. */
export const MAX_ANSWER_MS = 30_000;

/** Outcome of a request. */
export interface Outcome {
  /** The first answer; null where none came. */
  readonly answer: Answer | null;
  /** All statuses on the connection, where more than one request was sent on it. */
  readonly statuses: readonly number[];
  /** The way it ended without a proper answer. */
  readonly fault: 'closed' | 'hangs' | 'broken' | null;
  readonly milliseconds: number;
}

/** The way to reach the service. */
export interface Reach {
  readonly port: number;
  /** The authority to trust, as PEM. */
  readonly ca: string;
}

/** Sends requests one after the other, on one connection as long as it serves. */
export class Lane {
  readonly #reach: Reach;
  #idle: TLSSocket | null = null;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Sends a request and waits for what becomes of it. */
  async send(request: HostileRequest): Promise<Outcome> {
    const started = performance.now();
    const reused = request.isFramed ? this.#takeIdle() : null;
    let outcome = await this.#exchange(request, reused ?? (await this.#open()), started);
    // A connection may end between two requests; what was never read was not refused.
    if (reused !== null && outcome.fault === 'closed') {
      outcome = await this.#exchange(request, await this.#open(), started);
    }
    return outcome;
  }

  close(): void {
    this.#takeIdle()?.destroy();
  }

  #takeIdle(): TLSSocket | null {
    const idle = this.#idle;
    this.#idle = null;
    return idle === null || idle.destroyed || idle.readableEnded ? null : idle;
  }

  #open(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const { port, ca } = this.#reach;
      const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca });
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }

  #exchange(request: HostileRequest, socket: TLSSocket, started: number): Promise<Outcome> {
    const reader = new AnswerReader(request.method);
    return new Promise((resolve) => {
      const finish = (fault: Outcome['fault']): void => {
        clearTimeout(timer);
        socket.removeAllListeners();
        // What the other side does to a connection that is given up concerns nobody.
        socket.on('error', () => undefined);
        const [answer = null] = reader.answers;
        const mayKeep = fault === null && request.isFramed && answer?.headers.get('connection') !== 'close';
        if (mayKeep) this.#idle = socket;
        else socket.destroy();
        const statuses = reader.answers.map(({ status }) => status);
        resolve({ answer, statuses, fault: answer ? null : fault, milliseconds: performance.now() - started });
      };
      const timer = setTimeout(() => finish('hangs'), MAX_ANSWER_MS);
      const settle = (): void => {
        if (reader.isBroken) finish('broken');
        else if (reader.answers.length > 0) finish(null);
      };
      socket.on('data', (chunk: Buffer) => {
        reader.push(chunk);
        settle();
      });
      socket.on('close', () => {
        reader.close();
        settle();
        finish('closed');
      });
      // `close` follows.
      socket.on('error', () => undefined);
      for (const step of request.steps) {
        if (step === 'end') socket.end();
        else if (step === 'leave') socket.destroySoon();
        else socket.write(step);
      }
    });
  }
}
