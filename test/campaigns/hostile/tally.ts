import type { HostileRequest } from './hostile-request.ts';
import { evaluate } from './evaluate.ts';
import type { Outcome } from './send-request.ts';

/** Bytes of a request that a failure shows. */
const MAX_SHOWN = 4000;

/** A promise that was broken. */
export interface Failure {
  /** Number of the request, with which `--only` sends it again. */
  readonly number: number;
  readonly endpoint: string;
  readonly caller: string;
  readonly why: string;
  readonly milliseconds: number;
  /** The request as it was sent, as JSON text of latin1. */
  readonly request: string;
}

/** Answers to the requests of one endpoint. */
export interface EndpointCount {
  /** Answers by the first digit of their status and `xx`, or `429`, `503`, `none`. */
  readonly answers: Record<string, number>;
  slowestMs: number;
  /** Number of the request that took so long. */
  slowest: number;
}

/** Counts and judges what became of requests. */
export class Tally {
  readonly endpoints: Record<string, EndpointCount> = {};
  readonly failures: Failure[];
  /** Requests that were counted. */
  count = 0;

  /** @param failures found before, by requests that are not counted */
  constructor(failures: readonly Failure[] = []) {
    this.failures = [...failures];
  }

  /** Takes what became of the request of a number. */
  add(number: number, request: HostileRequest, outcome: Outcome): void {
    this.count++;
    const count = this.endpoints[request.endpoint] ?? { answers: {}, slowestMs: 0, slowest: -1 };
    this.endpoints[request.endpoint] = count;
    const answer = columnOf(outcome);
    count.answers[answer] = (count.answers[answer] ?? 0) + 1;
    // A client that says no more is waited for, which is no work.
    if (outcome.answer?.status !== 408 && outcome.milliseconds > count.slowestMs) {
      count.slowestMs = Math.round(outcome.milliseconds);
      count.slowest = number;
    }
    const why = evaluate(request, outcome);
    if (why === null) return;
    const { endpoint, caller } = request;
    const milliseconds = Math.round(outcome.milliseconds);
    this.failures.push({ number, endpoint, caller, why, milliseconds, request: showRequest(request) });
  }
}

function columnOf({ answer }: Outcome): string {
  if (answer === null) return 'none';
  if (answer.status === 429 || answer.status === 503) return String(answer.status);
  return `${Math.floor(answer.status / 100)}xx`;
}

/** A request as JSON text of latin1, step by step. */
export function showRequest({ steps }: HostileRequest): string {
  return steps
    .map((step) =>
      typeof step === 'string' ? `(${step})` : JSON.stringify(Buffer.from(step).toString('latin1').slice(0, MAX_SHOWN)),
    )
    .join(' + ');
}
