import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { databaseFile } from '../../../server/database/data-folder.ts';
import { Random } from '../../../server/demo/random.ts';
import { runCommand } from '../../processes/run-command.ts';
import type { Settings } from '../../processes/waybridge-process.ts';
import { webhookReceiver } from '../../hosts/webhook-receiver.ts';

import { PUBLIC_URL, provision } from './fleet.ts';
import { describePlan, drawPlan, type KillPlan } from './kill-plan.ts';
import { type Counts, Ledger } from './ledger.ts';
import { Service } from './service.ts';
import { beginTrouble, type Machine, setClock, type Trouble, TROUBLES, TROUBLES_OF_SERVERS } from './troubles.ts';
import type { Finding } from './write.ts';
import type { Round, RoundOfKind, WriteKind } from './write-kind.ts';

/** Options of a campaign. */
export interface CampaignOptions {
  readonly dataDir: string;
  /** Folder for the files that are imported. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: string;
  /** Devices with keys of their own, and as many of a forwarder. */
  readonly devices: number;
  readonly servers: '1' | '2' | 'both';
  readonly kinds: readonly WriteKind[];
  readonly mongodbUri?: string;
  /** When no further round is begun, in milliseconds since 1970. */
  readonly until?: number;
  readonly onProgress: (line: string) => void;
}

/** Counts of one kind of write, or of rounds with one trouble. */
export interface KindResult extends Counts {
  readonly name: string;
  readonly findings: Finding[];
}

/** Result of a campaign. */
export interface CampaignResult {
  /** Rounds that were run. */
  readonly rounds: number;
  readonly kinds: readonly KindResult[];
  readonly troubles: readonly KindResult[];
  /** Answers that no kill explains. */
  readonly faults: readonly string[];
  /** Findings of `waybridge check`. */
  readonly damage: readonly string[];
}

/** Milliseconds for which a kill waits for acknowledgements at most; a stopped server may hold all of them up. */
const MAX_WAIT_MS = 4000;
const MAX_STOPPED_MS = 1500;
/** Milliseconds for which the servers that are left are written to after a kill. */
const AFTERWARDS_MS = 300;

/** The module that steps the clock of the servers and commands. */
const STEPPED_CLOCK = pathToFileURL('test/campaigns/kill/stepped-clock.mjs').href;

/** Kills servers under mixed writes, round by round, and compares what was acknowledged with what they show afterwards. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { dataDir, folder, rounds, seed, kinds, mongodbUri, onProgress, until = Number.POSITIVE_INFINITY } = options;
  const receiver = await webhookReceiver();
  const caFile = join(folder, 'receiver.pem');
  await writeFile(caFile, receiver.ca);
  const clockFile = join(folder, 'clock-offset');
  setClock(clockFile, 0);
  const settings: Settings = {
    DATA_DIR: dataDir,
    AUTH_URL: PUBLIC_URL,
    SITE_URL: PUBLIC_URL,
    LOG_LEVEL: 'error',
    WEBHOOK_NETWORKS: '127.0.0.0/8, ::1',
    WEBHOOK_MAX_AGE: '5256000',
    NODE_EXTRA_CA_CERTS: caFile,
    NODE_OPTIONS: `--import ${STEPPED_CLOCK}`,
    CLOCK_OFFSET_FILE: clockFile,
    ...(mongodbUri !== undefined && { MONGODB_URI: mongodbUri }),
  };
  const servers = [new Service('A', settings), new Service('B', settings)];
  const report = new Report(kinds);
  const past: RoundUnderWay[] = [];
  try {
    onProgress(`provisioning by the command line in ${dataDir}`);
    const fleet = { ...(await provision(settings, folder, { rounds, devices: options.devices })), receiver };
    for (let number = 1; number <= rounds && Date.now() < until; number++) {
      const random = new Random(`${seed} ${number}`);
      const troubles = mongodbUri === undefined ? TROUBLES : TROUBLES_OF_SERVERS;
      const plan = drawPlan(countOf(options.servers, number), troubles[number % troubles.length] ?? 'none', random);
      await startServers(servers, plan.servers);
      const machine = { file: databaseFile(dataDir), clockFile, random };
      const under = new RoundUnderWay(kinds, servers, plan, report, machine);
      await under.begin({ number, fleet, random });
      await under.run();
      const before = past.at(-1);
      past.push(under);
      await under.verify(true);
      await before?.verify(false);
      const { acknowledged, unanswered } = under.counts();
      const news = report.takeNews();
      const said = news.length === 0 ? 'all there' : 'FAULTS';
      onProgress(
        `round ${number}: ${describePlan(plan)}; ${acknowledged} acknowledged, ${unanswered} cut off; ${said}`,
      );
      for (const line of news) onProgress(`  ${line}`);
    }
    onProgress('verifying all rounds');
    for (const kind of kinds) await kind.finish?.();
    for (const round of past) await round.verify(false);
    for (const line of report.takeNews()) onProgress(`  ${line}`);
  } finally {
    for (const server of servers) await server.end();
    await receiver.close();
  }
  for (const round of past) round.addCounts();
  const { troubles, faults } = report;
  return { rounds: past.length, kinds: report.kinds, troubles, faults, damage: await damageOf(settings) };
}

function countOf(servers: CampaignOptions['servers'], round: number): 1 | 2 {
  if (servers === 'both') return round % 2 === 1 ? 1 : 2;
  return servers === '1' ? 1 : 2;
}

/** Has as many servers run as a round needs. */
async function startServers(servers: readonly Service[], count: number): Promise<void> {
  await Promise.all(
    servers.map(async (server, at) => {
      if (at < count && !server.isUp) await server.start();
      if (at >= count) await server.end();
    }),
  );
}

/** Writes of all kinds in one round, and the kill. */
class RoundUnderWay {
  readonly #report: Report;
  readonly #kinds: readonly WriteKind[];
  readonly #servers: readonly Service[];
  readonly #plan: KillPlan;
  readonly #machine: Omit<Machine, 'pids'>;
  #rounds: RoundOfKind[] = [];
  #acknowledged = 0;
  #isOver = false;
  #onAcknowledged: () => void = () => undefined;

  constructor(
    kinds: readonly WriteKind[],
    servers: readonly Service[],
    plan: KillPlan,
    report: Report,
    machine: Omit<Machine, 'pids'>,
  ) {
    this.#machine = machine;
    this.#report = report;
    this.#kinds = kinds;
    this.#servers = servers.slice(0, plan.servers);
    this.#plan = plan;
  }

  async begin(round: Omit<Round, 'newLedger'>): Promise<void> {
    const newLedger = () =>
      new Ledger(() => {
        this.#acknowledged++;
        this.#onAcknowledged();
      }, this.#plan.trouble === 'clock step');
    const [first] = this.#servers;
    if (!first) throw new Error('A round has a server');
    for (const kind of this.#kinds) this.#rounds.push(await kind.begin({ ...round, newLedger }, first));
  }

  /** Writes until the servers are killed, and to those that are left until the round is over; then starts the killed. */
  async run(): Promise<void> {
    const { killed, commandsAfter, trouble } = this.#plan;
    const writing = this.#rounds.filter((_, at) => !this.#kinds[at]?.without?.includes(trouble));
    const writers = writing.flatMap((round) =>
      Array.from({ length: round.writers }, (_, writer) => this.#write(round, writer)),
    );
    const over = new AbortController();
    const commands =
      commandsAfter === null
        ? undefined
        : setTimeout(commandsAfter, undefined, { signal: over.signal })
            .then(() => this.#rounds.map((round) => round.kill?.()))
            .catch(() => undefined);
    await this.#signal();
    const afterwards = setTimeout(AFTERWARDS_MS).then(() => {
      this.#isOver = true;
    });
    await Promise.all([afterwards, ...killed.map((number) => this.#servers[number]?.start())]);
    await Promise.all(writers);
    over.abort();
    await commands;
  }

  async #signal(): Promise<void> {
    const { killed, stopped, isResumed, after, stoppedFor, trouble, troubledFor } = this.#plan;
    await this.#reaches(after, MAX_WAIT_MS);
    const endTrouble = beginTrouble(trouble, { ...this.#machine, pids: this.#servers.map(({ pid }) => pid) });
    await setTimeout(troubledFor);
    const stalling = stopped === null ? undefined : this.#servers[stopped];
    if (stalling) {
      stalling.stop();
      await this.#reaches(this.#acknowledged + stoppedFor, MAX_STOPPED_MS);
      if (isResumed) stalling.resume();
    }
    await Promise.all(killed.map((number) => this.#servers[number]?.kill()));
    endTrouble();
  }

  /** Waits until so many requests have been acknowledged, or for a time. */
  async #reaches(count: number, milliseconds: number): Promise<void> {
    const waiting = new AbortController();
    this.#onAcknowledged = () => {
      if (this.#acknowledged >= count) waiting.abort();
    };
    await setTimeout(milliseconds, undefined, { signal: waiting.signal }).catch(() => undefined);
  }

  async #write(round: RoundOfKind, writer: number): Promise<void> {
    try {
      for (let at = writer; !this.#isOver; at++) {
        const answering = this.#servers.filter((server) => server.isUp);
        const server = answering[at % answering.length];
        if (!server) return;
        if (!(await round.write(server, writer))) return;
      }
    } catch (error) {
      this.#report.addFault(String(error));
    }
  }

  /** Compares what was acknowledged with what the servers show; first on all running servers, then on one. */
  async verify(isFirst: boolean): Promise<void> {
    const running = this.#servers.filter(({ isUp }) => isUp);
    for (const server of isFirst ? running : running.slice(-1)) {
      for (const [at, round] of this.#rounds.entries()) {
        const name = this.#kinds[at]?.name ?? '';
        await round.verify(server, isFirst).then(
          (findings) => this.#report.addFindings(name, this.#plan.trouble, findings),
          (error: unknown) => this.#report.addFault(`${name}: ${String(error)}`),
        );
      }
    }
  }

  counts(): Counts {
    const sum = { ...NONE };
    for (const { ledger } of this.#rounds) addTo(sum, ledger.counts);
    return sum;
  }

  addCounts(): void {
    for (const [at, { ledger }] of this.#rounds.entries())
      for (const result of this.#report.resultsOf(this.#kinds[at]?.name ?? '', this.#plan.trouble))
        addTo(result, ledger.counts);
  }
}

/** Findings of a campaign, each finding of a write once. */
class Report {
  readonly kinds: readonly KindResult[];
  readonly troubles: readonly KindResult[];
  readonly faults: string[] = [];
  readonly #known = new Set<string>();
  #news: string[] = [];

  constructor(kinds: readonly WriteKind[]) {
    const resultOf = (name: string) => ({ name, ...NONE, findings: [] });
    this.kinds = kinds.map(({ name }) => resultOf(name));
    this.troubles = TROUBLES.map(resultOf);
  }

  /** The results of a kind of write, and of rounds with a trouble. */
  resultsOf(kind: string, trouble: Trouble): readonly KindResult[] {
    const isMeant = (name: string) => (result: KindResult) => result.name === name;
    return [...this.kinds.filter(isMeant(kind)), ...this.troubles.filter(isMeant(trouble))];
  }

  addFindings(name: string, trouble: Trouble, findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { fault, id, detail } = finding;
      if (this.#known.has(`${name} ${fault} ${id}`)) continue;
      this.#known.add(`${name} ${fault} ${id}`);
      this.#news.push(`${name}: ${fault}: ${id}: ${detail}`);
      for (const result of this.resultsOf(name, trouble)) result.findings.push(finding);
    }
  }

  addFault(fault: string): void {
    this.faults.push(fault);
    this.#news.push(fault);
  }

  /** New findings since the last call, for people. */
  takeNews(): string[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }
}

const NONE: Counts = { attempted: 0, acknowledged: 0, unanswered: 0, refused: 0 };

function addTo(sum: Counts, counts: Counts): void {
  for (const name of ['attempted', 'acknowledged', 'unanswered', 'refused'] as const) sum[name] += counts[name];
}

async function damageOf(settings: Settings): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(['check', '--json'], settings);
  if (code === 0) return [];
  return stdout === '' ? [stderr] : (JSON.parse(stdout) as { findings: string[] }).findings;
}
