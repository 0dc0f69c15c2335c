import { compareAnswers } from './compare-answers.ts';
import { type GeneratedRequest, isRead } from './generated-request.ts';
import { PLACEHOLDER } from './endpoint.ts';
import type { SiteAnswer, SiteClient } from './site-client.ts';
import { type ExplainedDifference, Tally } from './tally.ts';

/** Reads that are under way at a time. */
const LANES = 4;

/** Writes that succeed on a content before it is put back. */
const MAX_CHANGES = 40;

/** Stands before the parameters of a change, where what became of its object is looked at. */
const AFTER = 'after';

/** Parts of a campaign. */
export interface CampaignParts {
  readonly theirs: SiteClient;
  readonly ours: SiteClient;
  /** Login of somebody who may see everything. */
  readonly administrator: string;
  /** Puts both sites back to the seeded content. */
  readonly reset: () => Promise<void>;
  /** Ends the sending; what was sent is counted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Sends requests to two sites, and counts where their answers differ. */
export class Campaign {
  readonly tally = new Tally();
  readonly #parts: CampaignParts;

  constructor(parts: CampaignParts) {
    this.#parts = parts;
  }

  /**
   * Sends the reads in parallel, then the writes in order. Where both sites did the same, a look at what became of the object
   * follows.
   */
  async run(requests: readonly GeneratedRequest[]): Promise<Tally> {
    await this.#parts.reset();
    const { signal } = this.#parts;
    const reads = requests.filter(isRead);
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let next = reads.pop(); next !== undefined && !signal?.aborted; next = reads.pop()) {
          await this.#compare(next);
        }
      }),
    );
    let changes = 0;
    for (const request of requests.filter((one) => !isRead(one))) {
      if (signal?.aborted) break;
      const { isParted, isChange } = await this.#compare(request);
      if (isChange) changes += 1;
      // Sites that went different ways would differ in whatever follows.
      const isSame = !isParted && (isChange ? await this.#look(request) : true);
      if (changes < MAX_CHANGES && isSame) continue;
      if (changes > 0) await this.#parts.reset();
      changes = 0;
    }
    return this.tally;
  }

  /** Compares what both sites now have at the path of one object; true if it is the same. */
  async #look({ route, path, about }: GeneratedRequest): Promise<boolean> {
    if (route.search(PLACEHOLDER) < 0) return true;
    const { differences } = await this.#compare({
      method: 'GET',
      endpoint: `GET ${route}`,
      route,
      path: `${path.split('?')[0]}?context=edit`,
      login: this.#parts.administrator,
      body: null,
      about: `${AFTER} ${about}`,
    });
    return differences.every(({ explanation }) => explanation !== null);
  }

  async #compare(
    request: GeneratedRequest,
  ): Promise<{ differences: readonly ExplainedDifference[]; isChange: boolean; isParted: boolean }> {
    const { theirs, ours, onProgress } = this.#parts;
    const [their, our] = await Promise.all([theirs.send(request), ours.send(request)]);
    const differences = this.tally.add(request, compareAnswers(their, our));
    onProgress?.(this.tally.requests);
    const isChange = !isRead(request) && [their, our].some((answer) => answer.status < 300 || isNumberLost(answer));
    return { differences, isChange, isParted: differences.some(isTurn) || isNumberLost(their) };
  }
}

/** True for a difference that says that the two sites did not do the same, or that one has given a number more. */
function isTurn({ level, kind }: ExplainedDifference): boolean {
  return level === 1 || kind.startsWith('$.id') || kind.endsWith('version-history[].count');
}

/** True where a database refused what was to be inserted: with WordPress's, the number that it would have had is gone. */
function isNumberLost({ body }: SiteAnswer): boolean {
  return body.includes('"db_insert_error"');
}
