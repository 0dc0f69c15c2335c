import type { HttpsAnswer } from '../../clients/https-client.ts';

import { CutOff, UnexpectedAnswer } from './service.ts';
import type { Write } from './write.ts';

/** Counts of writes, by how they were answered. */
export interface Counts {
  attempted: number;
  acknowledged: number;
  /** Not answered, since the server was killed. */
  unanswered: number;
  /** Answered by 503: try again. With a wrong clock, also by any error of the client. */
  refused: number;
}

/** Returns true if a request is rejected; Traccar is told so by a success, since it would send the position again. */
function isRejection({ status, text }: HttpsAnswer): boolean {
  return Math.floor(status / 100) === 4 || text.startsWith('{"accepted":0,"duplicates":0,"refused":');
}

/** The writes sent in a round, and those acknowledged. */
export class Ledger {
  readonly #writes = new Map<string, Write>();
  readonly counts: Counts = { attempted: 0, acknowledged: 0, unanswered: 0, refused: 0 };
  readonly #onAcknowledged: () => void;
  readonly #clockMayBeWrong: boolean;

  /** @param clockMayBeWrong true where any error of the client may be the machine's, whose clock is wrong */
  constructor(onAcknowledged: () => void, clockMayBeWrong: boolean) {
    this.#onAcknowledged = onAcknowledged;
    this.#clockMayBeWrong = clockMayBeWrong;
  }

  get writes(): readonly Write[] {
    return [...this.#writes.values()];
  }

  get acknowledged(): readonly Write[] {
    return this.writes.filter(({ isAcknowledged }) => isAcknowledged);
  }

  /** Notes a write before it is sent; nobody knows of it yet. */
  note(id: string, value: string): Write {
    const write = this.#writes.get(id) ?? { id, value, isAcknowledged: false };
    this.#writes.set(id, write);
    return write;
  }

  /** Notes a write whose id only its answer tells. */
  noteAnswered(id: string, value: string): void {
    this.note(id, value).isAcknowledged = true;
  }

  /**
   * Sends writes in one request, and notes how it was answered.
   *
   * @returns the answer of a success, else null: cut off, or 503
   * @throws UnexpectedAnswer for any other answer
   */
  async send(writes: readonly Write[], request: () => Promise<HttpsAnswer>): Promise<HttpsAnswer | null> {
    const many = Math.max(1, writes.length);
    this.counts.attempted += many;
    const answer = await request().catch((error: unknown) => {
      if (error instanceof CutOff) return null;
      throw error;
    });
    if (!answer) this.counts.unanswered += many;
    else if (answer.status === 503 || (this.#clockMayBeWrong && isRejection(answer))) this.counts.refused += many;
    else if (answer.status < 200 || answer.status > 299) {
      throw new UnexpectedAnswer(`${answer.status} ${answer.text.slice(0, 300)}`);
    } else {
      this.acknowledge(writes, many);
      return answer;
    }
    return null;
  }

  /** Notes that writes are done. */
  acknowledge(writes: readonly Write[], many = writes.length): void {
    this.counts.acknowledged += many;
    for (const write of writes) write.isAcknowledged = true;
    this.#onAcknowledged();
  }
}
