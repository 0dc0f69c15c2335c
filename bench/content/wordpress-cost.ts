import { Agent, get } from 'node:http';

import { atMost, type BenchRow } from '../bench-row.ts';
import { cpuTime, withChildren } from '../cpu-time.ts';
import type { DuelHost } from '../duel/duel-host.ts';
import { median } from '../times.ts';

/** A WordPress that is measured beside the service, on the same machine. */
export interface WordpressHost {
  /** Its address over plain HTTP. */
  readonly url: string;
  /** Processes whose CPU time counts, with their children: PHP-FPM, the database, the HTTP server. */
  readonly processes: readonly number[];
  /** Value of the header by which an editor signs in there; null if only visitors are compared. */
  readonly editor: string | null;
}

/** A request that both are sent, by the path that the service has. */
interface Compared {
  readonly what: string;
  readonly path: string;
  /** Headers of an editor of the service; absent for visitors. */
  readonly headers?: Readonly<Record<string, string>>;
}

const ROUNDS = 5;
const REQUESTS = { ours: 100, theirs: 12 } as const;
const CONCURRENCY = 2;

/** Measures the CPU time of both, in turns, each over ten posts of its own. */
export async function wordpressRows(
  host: WordpressHost,
  { ours, load }: DuelHost<unknown>,
  readings: readonly Compared[],
): Promise<BenchRow[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const [newest] = JSON.parse(await textOf(`${host.url}/wp-json/wp/v2/posts`, agent)) as { id: number; link: string }[];
  if (!newest) throw new Error(`${host.url} has no posts`);
  const rows: BenchRow[] = [];
  for (const { what, path, headers } of readings) {
    const editor = headers === undefined ? null : host.editor;
    const theirs = host.url + pathThere(path, newest);
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const before = cpuTime(ours.pid);
      const request = { url: ours.url + path, method: 'GET', headers: headers ?? {}, body: '' } as const;
      await load.send({ ...request, count: REQUESTS.ours, concurrency: CONCURRENCY });
      if (round > 0) times.ours.push((cpuTime(ours.pid) - before) / REQUESTS.ours);
      const cost = await costThere(host, theirs, agent, editor);
      if (round > 0) times.theirs.push(cost);
    }
    const [own, other] = [median(times.ours), median(times.theirs)];
    const detail = `${own.toFixed(0)} µs to ${other.toFixed(0)} µs of CPU a request: 1/${(other / own).toFixed(0)}`;
    rows.push(atMost(`${what}, to WordPress`, own / other, 0.1, detail));
  }
  agent.destroy();
  return rows;
}

/** The path by which WordPress knows what the service has under another. */
function pathThere(path: string, { id, link }: { readonly id: number; readonly link: string }): string {
  if (path === '/feed.xml') return '/feed/';
  if (/\/posts\/\d+$/.test(path)) return path.replace(/\d+$/, String(id));
  return path.startsWith('/wp-json') ? path : new URL(link).pathname;
}

async function costThere(
  { processes }: WordpressHost,
  url: string,
  agent: Agent,
  editor: string | null,
): Promise<number> {
  const cpu = () => processes.flatMap(withChildren).reduce((sum, pid) => sum + cpuTime(pid), 0);
  const before = cpu();
  let left: number = REQUESTS.theirs;
  const one = async () => {
    while (left-- > 0) await textOf(url, agent, editor);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  return (cpu() - before) / REQUESTS.theirs;
}

function textOf(url: string, agent: Agent, editor: string | null = null): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = editor === null ? {} : { authorization: editor };
    const sent = get(url, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} was answered with ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
  });
}
