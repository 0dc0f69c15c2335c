import { atMost, type BenchRow } from '../bench-row.ts';
import type { LoadRequest } from '../https-load.ts';
import { median } from '../times.ts';
import { cpuTime } from '../cpu-time.ts';
import { type CpuParts, profileWhile } from './cpu-parts.ts';
import type { DuelHost, Side } from './duel-host.ts';
import { differencesBetween, wholeAnswer } from './whole-answer.ts';

const ROUNDS = 5;
/** Rounds before, until the code of both servers is compiled. */
const WARM_UPS = 8;
/** Turns of each side in a round: what else the machine does weighs on both alike. */
const TURNS = 4;
const CONCURRENCY = 8;
/** Requests by which database commands are counted; more than the commands that a server sends by itself meanwhile. */
const COUNTED = 50;

/** A request that both sides answer alike. */
export interface Duel {
  readonly what: string;
  /** Ratio that may not be exceeded. */
  readonly ceiling: number;
  /** Requests in each round: about a second of CPU. */
  readonly count: number;
  /** Path and all else of the request. */
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** One body, or that of each where they are asked in different forms. */
  readonly body?: string | Readonly<Record<Side['name'], string>>;
  /** Status of the answer; 200 by default. */
  readonly status?: number;
  /** Headers in which the answers may differ, with a reason in the bench. */
  readonly ignoredHeaders?: readonly string[];
  /** Contender, in words. */
  readonly contender: string;
}

/** CPU time of the servers for one request, in microseconds. */
interface Round {
  ours: number;
  theirs: number;
}

/**
 * Lets service and contender answer the same requests by turns, and compares the CPU time of the two server processes.
 * @throws Error if a client could tell their answers apart
 */
export async function runDuels(host: DuelHost<unknown>, duels: readonly Duel[]): Promise<BenchRow[]> {
  const { ours, theirs } = host;
  for (const duel of duels) await demandEqual(host, duel);
  const rounds = new Map<Duel, Round[]>(duels.map((duel) => [duel, []]));
  for (let number = 1 - WARM_UPS; number <= ROUNDS; number++) {
    for (const [duel, measured] of rounds) {
      const round = await runRound(host, duel);
      if (number > 0) measured.push(round);
      printProgress(`round ${number} of ${duel.what}: ${us(round.ours)} to ${us(round.theirs)}`);
    }
  }
  const rows: BenchRow[] = [];
  for (const [duel, measured] of rounds) {
    const commands = [await commandsOf(host, ours, duel), await commandsOf(host, theirs, duel)] as const;
    const parts = { ours: await timesByPart(host, ours, duel), theirs: await timesByPart(host, theirs, duel) };
    rows.push({ ...duelRow(duel, measured, commands), parts });
  }
  return rows;
}

function duelRow(duel: Duel, rounds: readonly Round[], [own, other]: readonly [number, number]): BenchRow {
  const ratios = rounds.map(({ ours, theirs }) => ours / theirs);
  const [ours, theirs] = [median(rounds.map((round) => round.ours)), median(rounds.map((round) => round.theirs))];
  const scatter = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const detail = `${us(ours)} to ${us(theirs)} of CPU a request; ${scatter}; ${own} to ${other} database commands`;
  return atMost(`${duel.what}, to ${duel.contender}`, median(ratios), duel.ceiling, detail);
}

async function demandEqual({ ours, theirs }: DuelHost<unknown>, duel: Duel): Promise<void> {
  const [one, other] = [await wholeAnswer(loadOf(ours, duel)), await wholeAnswer(loadOf(theirs, duel))];
  const differences = differencesBetween(one, other, duel.ignoredHeaders ?? []);
  if (one.status !== (duel.status ?? 200)) differences.push(`status ${one.status} ${one.body.slice(0, 500)}`);
  if (differences.length > 0) throw new Error(`${duel.what} is not answered alike:\n  ${differences.join('\n  ')}`);
  printProgress(`${duel.what}: ${one.body.length} bytes`);
}

async function runRound({ load, ours, theirs }: DuelHost<unknown>, duel: Duel): Promise<Round> {
  const count = Math.ceil(duel.count / TURNS);
  const measure = async (side: Side) => {
    const before = cpuTime(side.pid);
    await load.send({ ...loadOf(side, duel), count });
    return (cpuTime(side.pid) - before) / count / TURNS;
  };
  const round = { ours: 0, theirs: 0 };
  for (let turn = 0; turn < TURNS; turn++) {
    round.ours += await measure(ours);
    round.theirs += await measure(theirs);
  }
  return round;
}

/** Database commands of one request. */
async function commandsOf({ load }: DuelHost<unknown>, side: Side, duel: Duel): Promise<number> {
  const { pipe } = side;
  const before = pipe.commands;
  pipe.counts = true;
  await load.send({ ...loadOf(side, duel), count: COUNTED });
  pipe.counts = false;
  return Math.round((pipe.commands - before) / COUNTED);
}

/** CPU time of one request by part. */
async function timesByPart({ load }: DuelHost<unknown>, side: Side, duel: Duel): Promise<CpuParts> {
  const parts = await profileWhile(side.profileSocket, () => load.send(loadOf(side, duel)));
  return Object.fromEntries(Object.entries(parts).map(([part, time]) => [part, time / duel.count])) as CpuParts;
}

function loadOf({ url, name }: Side, duel: Duel): LoadRequest {
  const { path, method = 'GET', headers = {}, body = '', count, status = 200 } = duel;
  const sent = typeof body === 'string' ? body : body[name];
  return { url: url + path, method, headers, body: sent, count, concurrency: CONCURRENCY, status };
}

/** Prints on standard error how far the bench is; standard output is for its rows. */
function printProgress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

function us(value: number): string {
  return `${value.toFixed(0)} µs`;
}
