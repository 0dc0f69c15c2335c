import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type HttpsAnswer, type HttpsClient, type HttpsRequest, httpsClient } from '../../clients/https-client.ts';
import { serveProcess, type ServiceProcess, type Settings } from '../../processes/waybridge-process.ts';

/** Milliseconds after which an answer counts as never coming. */
const MAX_ANSWER_MS = 60_000;

/** No answer came, because the server was killed. */
export class CutOff extends Error {}

/** An endpoint answered otherwise than it must. */
export class UnexpectedAnswer extends Error {}

/** A request to a server of the campaign. */
export interface ServiceRequest extends Pick<HttpsRequest, 'headers' | 'method'> {
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
}

/** One of the servers over the data folder; it may be killed and started again. */
export class Service {
  readonly name: string;
  readonly #settings: Settings;
  #process: ServiceProcess | null = null;
  #client: HttpsClient | null = null;
  #url = '';
  #errors: string[] = [];

  constructor(name: string, settings: Settings) {
    this.name = name;
    this.#settings = settings;
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  /** Process id of a server that runs. */
  get pid(): number {
    const pid = this.#process?.child.pid;
    if (pid === undefined) throw new CutOff(`Server ${this.name} is down`);
    return pid;
  }

  /** The last lines that its processes logged. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async start(): Promise<void> {
    const started = await serveProcess(this.#settings, '--no-demo');
    const port = /GraphQL +https:\/\/localhost:(\d+)/.exec(started.banner)?.[1];
    this.#url = `https://localhost:${port}`;
    const ca = await readFile(join(this.#settings.DATA_DIR ?? '', 'tls/ca.pem'), 'utf8');
    this.#client = httpsClient(ca, { keepAlive: true });
    started.child.stderr.on('data', (chunk) => {
      this.#errors = [...this.#errors, ...String(chunk).trim().split('\n')].slice(-5);
    });
    this.#process = started;
  }

  /** Ends the process by SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    const killed = this.#process;
    this.#process = null;
    await killed?.end('SIGKILL');
  }

  /** Ends the process as an operator would. */
  async end(): Promise<void> {
    const ended = this.#process;
    this.#process = null;
    await ended?.end();
  }

  /** Keeps the process from running, as a machine that is suspended does. */
  stop(): void {
    this.#process?.child.kill('SIGSTOP');
  }

  /** Lets a stopped process go on. */
  resume(): void {
    this.#process?.child.kill('SIGCONT');
  }

  /** @throws CutOff where the server is killed before it has answered */
  async ask(path: string, { method, headers = {}, body }: ServiceRequest = {}): Promise<HttpsAnswer> {
    const mine = this.#process;
    if (!mine || !this.#client) throw new CutOff(`Server ${this.name} is down`);
    const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    try {
      return await this.#client(`${this.#url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string | Uint8Array) }),
        signal: AbortSignal.timeout(MAX_ANSWER_MS),
      });
    } catch (error) {
      if (this.#process !== mine) throw new CutOff(`Server ${this.name} was killed`, { cause: error });
      throw new UnexpectedAnswer(`${method ?? ''} ${path} was not answered: ${String(error)}`, { cause: error });
    }
  }

  /**
   * Asks for JSON.
   *
   * @throws UnexpectedAnswer with what came in place of a success
   */
  async read<T>(path: string, headers: Headers = {}): Promise<{ readonly json: T; readonly total: number }> {
    const answer = await this.ask(path, { headers });
    if (answer.status !== 200) throw new UnexpectedAnswer(`GET ${path} answered ${answer.status} ${answer.text}`);
    return { json: JSON.parse(answer.text) as T, total: Number(answer.headers['x-wp-total']) };
  }

  /** Asks for all pages of a list of the content interface. */
  async list<T>(path: string, headers: Headers): Promise<{ readonly items: T[]; readonly total: number }> {
    const items: T[] = [];
    for (let page = 1; ; page++) {
      const { json, total } = await this.read<T[]>(`/wp-json/wp/v2${path}&per_page=100&page=${page}`, headers);
      items.push(...json);
      if (json.length < 100 || items.length >= total) return { items, total };
    }
  }

  /**
   * Asks GraphQL.
   *
   * @throws UnexpectedAnswer with the errors
   */
  async query<T>(query: string, headers: Headers): Promise<T> {
    const answer = await this.ask('/graphql', { headers, body: { query } });
    const { data, errors } = JSON.parse(answer.text) as { data?: T; errors?: unknown };
    if (!data || errors) throw new UnexpectedAnswer(`${query} answered ${answer.status} ${answer.text}`);
    return data;
  }
}

type Headers = Readonly<Record<string, string>>;
