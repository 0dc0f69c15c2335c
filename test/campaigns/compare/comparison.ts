import type { Answer, Extract } from './answer.ts';
import { compareAnswers, type Difference } from './compare-answers.ts';
import { KnownValues } from './known-values.ts';
import type { NormalisedContext } from './normalised.ts';
import type { Random } from './random.ts';
import { ORIGIN, type SentRequest, type Side } from './side.ts';

/** A request to both sides. `{{name}}` in its texts stands for the value that the side has under this name. */
export interface Draft {
  readonly method?: string;
  readonly path: string;
  /** Credentials, by the name that {@link Comparison.callers} gives them; nobody's unless given. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is. */
  readonly body?: Uint8Array | string;
  /** Name of the browser that asks: one keeps cookies. */
  readonly browser?: string;
  /** Values of the answers that later requests use, by their names. */
  readonly keep?: Readonly<Record<string, Extract>>;
  /** Asked even where `--only` does not name it, since others build upon it. */
  readonly isNeeded?: true;
}

/** A command of both sides; `{{name}}` as in {@link Draft}. */
export interface Called {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly keep?: Readonly<Record<string, Extract>>;
  readonly isNeeded?: true;
}

/** A request, and where its answers differ. */
export interface Finding {
  readonly endpoint: string;
  readonly request: string;
  readonly differences: readonly Difference[];
}

/** Counts of one endpoint. */
export interface EndpointCount {
  readonly endpoint: string;
  requests: number;
  differing: number;
  /** Answers of the commit by their kind, such as `2xx` or `exit 0`. */
  readonly kinds: Record<string, number>;
}

/** Parts of a comparison. */
interface ComparisonOptions {
  /** The commit's, then the tree's. */
  readonly sides: readonly [Side, Side];
  readonly random: Random;
  /** Requests to send: those whose endpoint or text it matches. */
  readonly only: RegExp | null;
  readonly onProgress: (count: EndpointCount) => void;
}

type Values = ReadonlyMap<string, string>;

/** Asks two services the same in step, and keeps where their answers differ. */
export class Comparison {
  readonly random: Random;
  readonly findings: Finding[] = [];
  readonly counts: EndpointCount[] = [];
  /** Headers by the name of who sends them. */
  readonly callers = new Map<string, Readonly<Record<string, string>>>();
  /** Requests that the commit answered by 500 and above, whether or not the tree does. */
  readonly serverErrors: string[] = [];
  /** Names that a request used and that no answer had given: the requests built upon nothing. */
  readonly missing = new Set<string>();
  readonly #options: ComparisonOptions;
  readonly #context: NormalisedContext = { known: new KnownValues(), started: Date.now() };
  readonly #values: readonly [Map<string, string>, Map<string, string>] = [new Map(), new Map()];
  readonly #cookies: readonly [Map<string, Map<string, string>>, Map<string, Map<string, string>>] = [
    new Map(),
    new Map(),
  ];
  #count: EndpointCount = { endpoint: '', requests: 0, differing: 0, kinds: {} };

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.random = options.random;
  }

  /** Begins an endpoint: the requests that follow are counted for it. */
  begin(endpoint: string): void {
    this.#count = { endpoint, requests: 0, differing: 0, kinds: {} };
    this.counts.push(this.#count);
  }

  /** Gives both sides a value to be used by name. */
  give(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) for (const side of this.#values) side.set(name, value);
  }

  /** Returns true if a value has this name on both sides. */
  has(name: string): boolean {
    return this.#values.every((values) => values.has(name));
  }

  /** Asks both sides and compares; answers what the commit said. */
  async ask(draft: Draft): Promise<Answer> {
    const { method = 'GET', path, as = 'visitor', browser } = draft;
    const request = `${method} ${path}`;
    const shown = `${request}${contentOf(draft)} as ${browser ?? as}`;
    if (!this.#isSelected(shown, draft.isNeeded)) return new Map();
    const [left, right] = await this.#both((side, at) => side.ask(this.#sent(draft, at)));
    if (browser !== undefined) this.#keepCookies(browser, [left, right]);
    this.#compare(request, shown, [left, right], draft.keep, `${left.get('status')?.[0]}xx`);
    return left;
  }

  /** Runs a command on both sides and compares; answers what the commit said. */
  async run({ args, stdin, settings, keep, isNeeded }: Called): Promise<Answer> {
    const named = Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value} `);
    const shown = `${named.join('')}waybridge ${args.join(' ')}`;
    if (!this.#isSelected(shown, isNeeded)) return new Map();
    const [left, right] = await this.#both((side, at) =>
      side.run(
        args.map((arg) => this.#filled(arg, at)),
        stdin === undefined ? '' : this.#filled(stdin, at),
        settings,
      ),
    );
    this.#compare(shown, shown, [left, right], keep, `exit ${left.get('exit')}`);
    return left;
  }

  /** Compares texts that the sides have given by another way. */
  compareTexts(shown: string, texts: readonly [string, string]): void {
    const [left, right] = texts.map((text): Answer => new Map([['text', text]]));
    this.#compare(shown, shown, [left ?? new Map(), right ?? new Map()], undefined, 'text');
  }

  /** Starts both services again, with settings in the place of those that they had, and compares what they print. */
  async restart(settings: Readonly<Record<string, string>>): Promise<void> {
    const printed = await this.#both(async (side) => {
      await side.end();
      return side.start(settings);
    });
    this.compareTexts('what serve prints', printed);
  }

  #isSelected(shown: string, isNeeded: true | undefined): boolean {
    const { only } = this.#options;
    return only === null || isNeeded === true || only.test(`${this.#count.endpoint} ${shown}`);
  }

  async #both<T>(act: (side: Side, at: 0 | 1) => Promise<T>): Promise<[T, T]> {
    const [left, right] = this.#options.sides;
    return Promise.all([act(left, 0), act(right, 1)]);
  }

  #compare(
    request: string,
    shown: string,
    [left, right]: readonly [Answer, Answer],
    keep: Draft['keep'] = {},
    kind: string,
  ): void {
    const differences = compareAnswers(request, left, right, this.#context);
    const count = this.#count;
    count.requests++;
    count.kinds[kind] = (count.kinds[kind] ?? 0) + 1;
    if (kind === '5xx') this.serverErrors.push(`${left.get('status')} ${count.endpoint}: ${shown}`);
    if (differences.length > 0) {
      count.differing++;
      this.findings.push({ endpoint: count.endpoint, request: shown, differences });
    }
    for (const [name, extract] of Object.entries(keep)) {
      for (const [at, answer] of [left, right].entries()) {
        const value = extract(answer);
        if (value !== undefined) this.#values[at as 0 | 1].set(name, value);
        else this.#values[at as 0 | 1].delete(name);
      }
    }
    this.#options.onProgress(count);
  }

  #sent(draft: Draft, at: 0 | 1): SentRequest {
    const { method = 'GET', path, as, headers: given, browser } = draft;
    const headers: Record<string, string | string[]> = {};
    const type = draft.json !== undefined ? 'application/json' : draft.form && 'application/x-www-form-urlencoded';
    if (type !== undefined) headers['content-type'] = type;
    if (browser !== undefined) Object.assign(headers, this.#browserHeaders(browser, at, method));
    for (const [name, value] of Object.entries({ ...this.callers.get(as ?? 'visitor'), ...given })) {
      headers[name] = typeof value === 'string' ? this.#filled(value, at) : value.map((one) => this.#filled(one, at));
    }
    return { method, path: this.#filled(path, at).replace(ORIGIN, ''), headers, body: this.#bodyOf(draft, at) };
  }

  #bodyOf({ json, form, body }: Draft, at: 0 | 1): Uint8Array | string | null {
    if (json !== undefined) return this.#filled(JSON.stringify(json), at);
    if (form !== undefined) return this.#formOf(form, at);
    return typeof body === 'string' ? this.#filled(body, at) : (body ?? null);
  }

  #formOf(form: Readonly<Record<string, string | readonly string[]>>, at: 0 | 1): string {
    const fields = new URLSearchParams();
    for (const [name, values] of Object.entries(form)) {
      for (const value of [values].flat()) fields.append(name, this.#filled(value, at));
    }
    return fields.toString();
  }

  #browserHeaders(browser: string, at: 0 | 1, method: string): Record<string, string> {
    const cookies = [...(this.#cookies[at].get(browser) ?? [])].map(([name, value]) => `${name}=${value}`);
    return {
      accept: 'text/html',
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0 ${browser}`,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(method !== 'GET' && { origin: ORIGIN }),
    };
  }

  #keepCookies(browser: string, answers: readonly [Answer, Answer]): void {
    for (const [at, answer] of answers.entries()) {
      const jars = this.#cookies[at as 0 | 1];
      const jar = jars.get(browser) ?? new Map<string, string>();
      jars.set(browser, jar);
      for (const cookie of (answer.get('header set-cookie') ?? '').split('\n').filter(Boolean)) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) jar.delete(name);
        else jar.set(name, value);
      }
    }
  }

  #filled(text: string, at: 0 | 1): string {
    const values: Values = this.#values[at];
    return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined) this.missing.add(name);
      return value ?? '';
    });
  }
}

/** Longest body that is shown with its request. */
const SHOWN_BODY = 300;

function contentOf({ json, form, body, headers }: Draft): string {
  const fields =
    form && new URLSearchParams(Object.entries(form).map(([name, value]) => [name, [value].flat().join(' ')]));
  const content = json !== undefined ? JSON.stringify(json) : (fields?.toString() ?? body);
  const text = typeof content === 'string' || content === undefined ? content : `${content.length} bytes`;
  const named = headers === undefined ? '' : ` ${JSON.stringify(headers)}`;
  return `${named}${text === undefined ? '' : ` ${text.slice(0, SHOWN_BODY)}`}`;
}
