import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';

import { CommandError } from '../shell/command-error.ts';

/** An ingest endpoint, and credentials for it. */
export interface IngestTarget {
  /** `{base_url}/ingest`. */
  readonly url: string;
  /** Secret of a forwarder's key. */
  readonly secret: string;
  /** Certificate of an authority to trust besides the usual ones, as PEM; null if there is none. */
  readonly ca: string | null;
}

/** Outcome of an acknowledged request. */
interface Acknowledged {
  readonly accepted: number;
  readonly duplicates: number;
}

/** Times to wait for a service that does not answer or names no time, in milliseconds; the last one is repeated. */
const WAITS_MS = [1000, 2000, 5000, 10_000];
/** Maximum time for an answer, in milliseconds. */
const ANSWER_MS = 60_000;

/** Sends requests until they are acknowledged: never again after that. */
export class IngestClient {
  readonly #target: IngestTarget;
  readonly #agent: Agent;
  #repeated = 0;
  #wasAnswered = false;

  /** @param connections maximum number of requests that are sent at the same time */
  constructor(target: IngestTarget, connections: number) {
    this.#target = target;
    const ca = target.ca === null ? {} : { ca: [...rootCertificates, target.ca] };
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...ca });
  }

  /** Requests that were sent again, since the service was busy, at its limit, or did not answer. */
  get repeated(): number {
    return this.#repeated;
  }

  /**
   * Sends a body. A 429 or 503 is sent again after its `Retry-After`, and so is a request that was not answered, once the
   * service has answered another one.
   *
   * @returns null if the signal ended the attempts before an acknowledgment
   * @throws CommandError if the service rejects the request, or cannot be reached to begin with
   */
  async send(body: object, signal: AbortSignal): Promise<Acknowledged | null> {
    const payload = JSON.stringify(body);
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#post(payload).catch((error: unknown) => this.#unanswered(error));
      if (answer?.status === 200) return JSON.parse(answer.text) as Acknowledged;
      if (answer !== null && answer.status !== 429 && answer.status !== 503) throw rejectionOf(answer);
      if (signal.aborted) return null;
      const wait = answer?.retryAfterMs ?? WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)];
      await setTimeout(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
      this.#repeated++;
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  #unanswered(error: unknown): null {
    if (this.#wasAnswered) return null;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(
      `${this.#target.url} does not answer (${reason}); start the service, or correct the address`,
    );
  }

  async #post(payload: string): Promise<IngestAnswer> {
    const { url, secret } = this.#target;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, agent: this.#agent, timeout: ANSWER_MS };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        this.#wasAnswered = true;
        const status = response.statusCode ?? 0;
        const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
        const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
        text(response).then((answer) => resolve({ status, text: answer, retryAfterMs }), reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('No answer')));
      sent.on('error', reject);
      sent.end(payload);
    });
  }
}

interface IngestAnswer {
  readonly status: number;
  readonly text: string;
  /** Time named by `Retry-After`, if any. */
  readonly retryAfterMs: number | undefined;
}

function rejectionOf({ status, text: answer }: IngestAnswer): CommandError {
  const reason = answer === '' ? '' : ` (${answer.slice(0, 300)})`;
  const advice: Readonly<Record<number, string>> = {
    401: '; give the secret of a forwarder key that is not revoked',
    404: '; the account of the key must have the devices SIM-0001, SIM-0002, …',
  };
  return new CommandError(`The service rejected positions with ${status}${reason}${advice[status] ?? ''}`);
}
