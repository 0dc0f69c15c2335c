import 'reflect-metadata';

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databaseFile } from '../../server/database/data-folder.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { benchService } from '../bench-service.ts';
import { cpuTime } from '../cpu-time.ts';
import { serverProcess } from '../duel/server-process.ts';
import { HttpsLoad, type LoadRequest } from '../https-load.ts';
import { fleetPace, rushHour } from './ingest-pace.ts';
import { commandsOf, type Sender, sendersIn } from './ingest-records.ts';
import { byTurns, median } from '../times.ts';

const ROUNDS = 5;
/** Rounds before, until the code of both servers is compiled. */
const WARM_UPS = 8;
/** Devices of a forwarder's batch. */
const BATCH = 50;
const CEILING = 2;
/** A batch updates the documents of its devices and vehicles, with their indexes; by hand, each position is a small insert. */
const BATCH_CEILING = 6;

/** A way of sending positions. */
interface Work {
  readonly name: string;
  readonly sender: Sender;
  readonly body: string;
  /** Requests of a round. */
  readonly count: number;
  /** Positions of a request. */
  readonly positions: number;
  readonly ceiling?: number;
  /** Reason for which it may cost more than that. */
  readonly why?: string;
}

/** A service that takes positions. */
interface Target {
  readonly url: string;
  readonly pid: number;
}

/** Measures the CPU of all threads of the service a request, against a contender that stores positions and nothing else. */
export async function run(): Promise<BenchRow[]> {
  const folders = Array.from({ length: 4 }, temporaryFolder);
  const [ours = '', theirs = '', fleet = '', leaving = ''] = folders;
  const load = new HttpsLoad();
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const senders = await sendersIn(ours, BATCH);
    const work = worksOf(senders);
    const commands = await commandsOf(ours, work);
    cpSync(ours, theirs, { recursive: true });
    const service = await benchService({ DATA_DIR: ours });
    ends.push(() => service.end('SIGKILL'));
    const contender = await serverProcess('contenders/ingest', [databaseFile(theirs), theirs]);
    ends.push(contender.end);
    const targets = [
      { url: `${service.url}/api/v2/ingest`, pid: service.child.pid ?? 0 },
      { url: `${contender.url}/ingest`, pid: contender.pid },
    ];
    const { rows, byHand } = await rowsOf(load, targets, work, commands);
    for (const end of ends.splice(0)) await end();
    // Cores and times of one machine cannot be compared with those of another; this tells how fast it is.
    const why = `to store a position by hand takes this machine ${byHand.toFixed(2)} ms of CPU`;
    return [...rows, ...(await fleetPace(fleet, why)), ...(await rushHour(leaving, why))];
  } finally {
    for (const end of ends) await end();
    await load.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** A vehicle drives 6.7 meters a second. */
const POINT = '{"point":{"lat":53.0758,"lon":1%ne-4},"timestamp":"%t","speed":18.6,"heading":90}';
const pointsOf = (count: number) => `[${Array(count).fill(POINT).join(',')}]`;

function worksOf({ device, tracker, forwarder }: Awaited<ReturnType<typeof sendersIn>>): Work[] {
  const batch = forwarder.serials.map((serial) => `{"serial":"${serial}","points":${pointsOf(1)}}`);
  return [
    { name: '1 position a request', sender: device, body: `{"points":${pointsOf(1)}}`, count: 800, positions: 1 },
    {
      name: '100 positions a request',
      sender: tracker,
      body: `{"points":${pointsOf(100)}}`,
      count: 60,
      positions: 100,
    },
    {
      name: `${BATCH} devices a request, 1 position each`,
      ...{ sender: forwarder, body: `{"batch":[${batch.join(',')}]}`, count: 100, positions: BATCH },
      ceiling: BATCH_CEILING,
      why: 'the document of each device is read and updated; by hand, the positions of all are one insert',
    },
  ];
}

async function rowsOf(
  load: HttpsLoad,
  targets: readonly Target[],
  works: readonly Work[],
  commands: ReadonlyMap<string, string>,
): Promise<{ readonly rows: BenchRow[]; readonly byHand: number }> {
  const cpuOf = (work: Work, target: Target) => async () => {
    const before = cpuTime(target.pid);
    await load.send(requestOf(target, work));
    return (cpuTime(target.pid) - before) / 1000 / work.count;
  };
  const sent = works.flatMap((work) => targets.map((target) => cpuOf(work, target)));
  const cpu = await byTurns(ROUNDS, WARM_UPS, sent);
  const rows = works.map(({ name, positions, ceiling = CEILING, why }, at) => {
    const [ours = [], theirs = []] = cpu.slice(at * targets.length);
    const ratio = median(ours.map((used, at) => used / (theirs[at] ?? Number.NaN)));
    const detail = [
      `${median(ours).toFixed(2)} ms to ${median(theirs).toFixed(2)} ms of CPU a request`,
      `${Math.round((1000 * positions) / median(ours))} positions a second of CPU`,
      `commands: ${commands.get(name)}`,
    ];
    return {
      ...atMost(`ingest of ${name}, to storing them by hand`, ratio, ceiling, detail.join('; ')),
      ...(why && { why }),
    };
  });
  return { rows, byHand: median(cpu[1] ?? []) };
}

function requestOf({ url }: Target, { sender, body, count }: Work): LoadRequest {
  const headers = { authorization: `Bearer ${sender.secret}`, 'content-type': 'application/json' };
  return { url, method: 'POST', headers, body, count, concurrency: 1 };
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
}
