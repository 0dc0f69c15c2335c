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
/** Requests at the same time: as many as callers, and one. */
const CONCURRENCIES = [16, 1];
/** Requests by which database commands are counted; more than the commands that a server sends by itself meanwhile. */
const COUNTED = 50;

/** A request that both sides answer alike. */
export interface Duel {
  readonly what: string;
  /** Ratio that may not be exceeded. */
  readonly ceiling: number;
  /** Requests in each round: about a second of CPU. */
  readonly count: number;
  /** Path and all else of the request; that of each where they differ. */
  readonly path: string | Readonly<Record<Side['name'], string>>;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the callers, who ask in turn. */
  readonly callers?: LoadRequest['callers'];
  /** One body, or that of each where they are asked in different forms. */
  readonly body?: string | Readonly<Record<Side['name'], string>>;
  /** Status of the answer; 200 by default. */
  readonly status?: number;
  /** Headers in which the answers may differ, with a reason in the bench. */
  readonly ignoredHeaders?: readonly string[];
  /** Collection and condition of the records that the requests create, of which an account may have a number. */
  readonly clears?: readonly [collection: string, filter: Readonly<Record<string, unknown>>];
  /** Contender, in words. */
  readonly contender: string;
  /** Obstacle because of which the ceiling may not be kept. */
  readonly why?: string;
}

/** A duel with so many requests at the same time. */
interface Run extends Duel {
  readonly concurrency: number;
}

/** CPU time of a side's server, and of the database for it, for one request, in microseconds. */
interface Cost {
  server: number;
  database: number;
}

type Round = Readonly<Record<Side['name'], Cost>>;

/**
 * Lets service and contender answer the same requests by turns, and compares the CPU time of the two server processes, each with
 * that of the database meanwhile.
 * @throws Error if a client could tell their answers apart
 */
export async function runDuels(host: DuelHost<unknown>, duels: readonly Duel[]): Promise<BenchRow[]> {
  const { ours, theirs } = host;
  const runs = duels.flatMap((duel) =>
    CONCURRENCIES.map((concurrency): Run => ({ ...duel, what: `${duel.what}, ${concurrency} at a time`, concurrency })),
  );
  for (const run of runs) await demandEqual(host, run);
  const rounds = new Map<Run, Round[]>(runs.map((run) => [run, []]));
  for (let number = 1 - WARM_UPS; number <= ROUNDS; number++) {
    for (const [duel, measured] of rounds) {
      const round = await runRound(host, duel);
      if (number > 0) measured.push(round);
      printProgress(`round ${number} of ${duel.what}: ${us(sumOf(round.ours))} to ${us(sumOf(round.theirs))}`);
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

function duelRow(duel: Run, rounds: readonly Round[], [own, other]: readonly [number, number]): BenchRow {
  const ratios = rounds.map(({ ours, theirs }) => sumOf(ours) / sumOf(theirs));
  const [ours, theirs] = (['ours', 'theirs'] as const).map((side) =>
    (['server', 'database'] as const).map((part) => us(median(rounds.map((round) => round[side][part])))).join(' + '),
  );
  const scatter = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const detail = `${ours} to ${theirs} of CPU a request, server + database; ${scatter}; ${own} to ${other} database commands`;
  return atMost(`${duel.what}, to ${duel.contender}`, median(ratios), duel.ceiling, detail, duel.why);
}

async function demandEqual(host: DuelHost<unknown>, duel: Run): Promise<void> {
  await clear(host, duel);
  const one = await wholeAnswer(loadOf(host.ours, duel));
  await clear(host, duel);
  const other = await wholeAnswer(loadOf(host.theirs, duel));
  const differences = differencesBetween(one, other, duel.ignoredHeaders ?? []);
  if (one.status !== (duel.status ?? 200)) differences.push(`status ${one.status} ${one.body.slice(0, 500)}`);
  if (differences.length > 0) throw new Error(`${duel.what} is not answered alike:\n  ${differences.join('\n  ')}`);
  printProgress(`${duel.what}: ${one.body.length} bytes`);
}

function sumOf({ server, database }: Cost): number {
  return server + database;
}

/** Deletes what the requests of a duel have created. */
async function clear(host: DuelHost<unknown>, { clears }: Run): Promise<void> {
  if (clears) await host.clear(...clears);
}

async function runRound(host: DuelHost<unknown>, duel: Run): Promise<Round> {
  const { load, database, ...sides } = host;
  await clear(host, duel);
  const count = Math.ceil(duel.count / TURNS);
  const round = { ours: { server: 0, database: 0 }, theirs: { server: 0, database: 0 } };
  for (let turn = 0; turn < TURNS; turn++) {
    for (const side of [sides.ours, sides.theirs]) {
      const before = [cpuTime(side.pid), cpuTime(database)] as const;
      await load.send({ ...loadOf(side, duel), count });
      round[side.name].server += (cpuTime(side.pid) - before[0]) / count / TURNS;
      round[side.name].database += (cpuTime(database) - before[1]) / count / TURNS;
    }
  }
  return round;
}

/** Database commands of one request. */
async function commandsOf(host: DuelHost<unknown>, side: Side, duel: Run): Promise<number> {
  const { load } = host;
  const { pipe } = side;
  await clear(host, duel);
  const before = pipe.commands;
  pipe.counts = true;
  await load.send({ ...loadOf(side, duel), count: COUNTED });
  pipe.counts = false;
  return Math.round((pipe.commands - before) / COUNTED);
}

/** CPU time of one request by part. */
async function timesByPart(host: DuelHost<unknown>, side: Side, duel: Run): Promise<CpuParts> {
  await clear(host, duel);
  const parts = await profileWhile(side.profileSocket, () => host.load.send(loadOf(side, duel)));
  return Object.fromEntries(Object.entries(parts).map(([part, time]) => [part, time / duel.count])) as CpuParts;
}

function loadOf({ url, name }: Side, { concurrency, ...duel }: Run): LoadRequest {
  const { path, method = 'GET', headers = {}, callers = [{}], body = '', count, status = 200 } = duel;
  const ofSide = (one: Duel['path']) => (typeof one === 'string' ? one : one[name]);
  const all = { ...headers, ...callers[0] };
  return { url: url + ofSide(path), method, headers: all, callers, body: ofSide(body), count, concurrency, status };
}

/** Prints on standard error how far the bench is; standard output is for its rows. */
function printProgress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

function us(value: number): string {
  return `${value.toFixed(0)} µs`;
}
