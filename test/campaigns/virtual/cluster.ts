import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import type { NotificationSender } from '../../../models/store/notification-sender.ts';
import { databaseFile } from '../../../server/database/data-folder.ts';
import type { Dice } from '../hostile/dice.ts';

import type { Fleet } from './fleet.ts';
import { type Access, VirtualEngine } from './virtual-engine.ts';
import type { VirtualNetwork } from './virtual-network.ts';
import { VirtualServer } from './virtual-server.ts';
import { newProcess, type Process, processes, type VirtualTime } from './virtual-time.ts';

/** A request of a client. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Seconds that the request itself asks the server to wait. */
  readonly waits?: number;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A place where a server runs: a killed one is started again there. */
export interface Place {
  readonly name: string;
  process: Process;
  server: VirtualServer | null;
  engine: VirtualEngine | null;
  /** Until when something is wrong that a client may notice, as `VirtualTime.now`. */
  troubledUntil: number;
  /** Since when its database cannot be written; undefined while it can. */
  cannotWriteSince: number | undefined;
}

/** Parts of a cluster. */
export interface ClusterParts {
  readonly time: VirtualTime;
  readonly network: VirtualNetwork;
  readonly dice: Dice;
  readonly fleet: Fleet;
  readonly dataDir: string;
  readonly servers: number;
  /** True if all servers use one engine over the network, as they use MongoDB; false if each has its own on the same file. */
  readonly isShared: boolean;
  readonly sender: NotificationSender;
}

const SHARED_HOST = 'database.virtual';
/** Milliseconds within which a server answers, whatever has happened to its database. */
const ANSWERS_WITHIN_MS = 45_000;
/** Milliseconds after which a client gives up. */
const PATIENCE_MS = 120_000;
/** Share of the requests whose clients give up sooner, and the limit of their patience in milliseconds. */
const IMPATIENT = 0.05;
const IMPATIENT_MS = 3000;
const START_AGAIN_MS = 2000;
/** Time after a trouble in which clients may still notice it, in milliseconds. */
const RECOVERS_WITHIN_MS = 30_000;
/** Milliseconds of the way between a client and a server. */
const WAY_MS = [0.2, 3] as const;

/** Several servers over one database, which faults befall. */
export class Cluster {
  readonly time: VirtualTime;
  readonly network: VirtualNetwork;
  readonly dice: Dice;
  readonly isShared: boolean;
  readonly places: readonly Place[];
  /** Faults that were found. */
  readonly findings: string[] = [];
  /** Numbers of what happened, by name. */
  readonly counts = new Map<string, number>();
  /** The longest time in which a request was answered, in milliseconds, beside what it asked for. */
  slowest = 0;
  /** Until when writes to the disk fail, and how. */
  disk: { until: number; how: 'full' | 'broken'; share: number } = { until: 0, how: 'full', share: 0 };
  /** The one access to the disk that fails: how many more of its kind come before it, and how it fails. */
  nextFailure: { access: Access; before: number; how: 'full' | 'broken' } | null = null;
  readonly #parts: ClusterParts;
  #database: Place;
  readonly #waiting = new Map<Process, Set<() => void>>();
  readonly #killAfter = new Map<Process, { sends: number; kill: () => void; isSent: boolean }>();

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    ({ time: this.time, network: this.network, dice: this.dice, isShared: this.isShared } = parts);
    this.places = Array.from({ length: parts.servers }, (_, number) => newPlace(`server-${number + 1}`));
    this.#database = newPlace('database');
    this.network.onSend = (from) => this.#isSent(from);
  }

  /** Starts everything, for the first time. */
  async start(): Promise<void> {
    if (this.isShared) this.startEngine();
    await Promise.all(this.places.map((place) => this.startServer(place)));
    while (!this.places.every(({ server }) => server)) await this.time.pause(100);
  }

  /** Adds to a count. */
  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Notes what must not be. */
  find(finding: string): void {
    this.findings.push(`${new Date(this.time.wall).toISOString()}: ${finding}`);
  }

  /** Places whose servers answer. */
  get running(): Place[] {
    return this.places.filter(({ server, process }) => server && !process.isDead);
  }

  /** Notes that something is wrong for a time. */
  trouble(place: Place, ms: number): void {
    place.troubledUntil = Math.max(place.troubledUntil, this.time.now + ms + RECOVERS_WITHIN_MS);
  }

  /** Returns true if nothing is wrong with a server, or has been lately. */
  isCalm(place: Place): boolean {
    const now = this.time.now;
    return place.troubledUntil < now && this.#database.troubledUntil < now;
  }

  /** Starts the engine that all servers share. */
  startEngine(): void {
    const place = this.#database;
    place.process = newProcess('database');
    processes.run(place.process, () => this.#openEngine(place, SHARED_HOST));
  }

  /** Kills the shared engine, and starts it again after some milliseconds. */
  killEngine(downFor: number): void {
    const place = this.#database;
    this.trouble(place, downFor);
    this.#die(place, false);
    this.#later(downFor, 'engine starts', () => this.startEngine());
  }

  /** Starts a server in a place; tries again if it cannot start. */
  async startServer(place: Place): Promise<void> {
    const process = newProcess(place.name);
    const { clockAhead } = place.process;
    Object.assign(process, { clockAhead });
    Object.assign(place, { process, server: null, cannotWriteSince: undefined });
    this.trouble(place, 0);
    this.time.note(`${place.name} starts`);
    try {
      await processes.run(process, async () => {
        const { certificate } = this.#parts.fleet;
        if (!this.isShared) this.#openEngine(place, `${place.name}.virtual`);
        const server = await VirtualServer.start({
          dataDir: this.#parts.dataDir,
          uri: this.isShared ? `mongodb://${SHARED_HOST}/waybridge?directConnection=true` : (place.engine?.uri ?? ''),
          sqlite: this.isShared ? null : (place.engine?.sqlite ?? null),
          erase: async (signal) => place.engine?.store.erase(signal) ?? true,
          certificate,
          sender: this.#parts.sender,
          onFault: (line) => this.#logged(line),
        });
        if (!process.isDead) place.server = server;
      });
    } catch (error) {
      if (process.isDead) return;
      this.count(`starts that failed: ${error instanceof Error ? error.message.slice(0, 80) : String(error)}`);
      this.killServer(place, START_AGAIN_MS, false);
    }
  }

  /** Kills a server, and starts it again after some milliseconds; if it goes silently, its peers are not told. */
  killServer(place: Place, downFor: number, isSilent: boolean): void {
    this.trouble(place, downFor);
    this.#die(place, isSilent);
    this.#later(downFor, 'server starts', () => void this.startServer(place));
  }

  /** Lets a server do the work of an hour, whose faults it logs. */
  purge({ process, server }: Place): void {
    processes.run(process, () => {
      server?.purge().then(
        () => this.count('purge: done'),
        (error: unknown) => this.count(`purge: ${String(error).slice(0, 80)}`),
      );
    });
  }

  /** Kills a server when it has sent so many more commands to its database; the last one arrives or not. */
  killServerAfter(place: Place, sends: number, downFor: number, isSent: boolean): void {
    const { process } = place;
    const kill = () => {
      if (place.process === process && !process.isDead) this.killServer(place, downFor, false);
    };
    this.trouble(place, 10_000);
    this.#killAfter.set(process, { sends, kill, isSent });
  }

  /** Sends a request; null if there is no answer. */
  ask(place: Place, { method = 'GET', url, headers = {}, body, waits = 0 }: Request): Promise<Answer | null> {
    const { process, server } = place;
    const began = this.time.now;
    return new Promise((settle) => {
      const waiting = this.#waiting.get(process) ?? new Set();
      this.#waiting.set(process, waiting);
      let isOver = false;
      const end = (answer: Answer | null) => {
        if (isOver) return;
        isOver = true;
        waiting.delete(cutOff);
        this.#checkDuration(place, `${method} ${url.split('?')[0]}`, this.time.now - began - waits * 1000, answer);
        settle(answer);
      };
      const cutOff = () => this.#later(this.#way(), 'cut off', () => end(null));
      if (!server || process.isDead) return cutOff();
      waiting.add(cutOff);
      const inject = async () => {
        const { statusCode: status, payload: text } = await server.host.inject({
          method,
          url,
          headers: { host: 'localhost', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        });
        this.time.after(
          this.#way(),
          `answer ${status} ${url.length}`,
          () => processes.exit(() => end({ status, text })),
          process,
        );
      };
      const arrive = () =>
        processes.run(process, () => {
          inject().catch((error: unknown) => this.find(`${method} ${url} failed: ${String(error)}`));
        });
      this.time.after(this.#way(), 'request', arrive, process);
      const patience = this.dice.chance(IMPATIENT) ? this.dice.below(IMPATIENT_MS) : PATIENCE_MS;
      this.#later(patience, 'patience', () => end(null));
    });
  }

  /** Ends all faults, and waits until every server answers. */
  async heal(): Promise<void> {
    this.disk.until = 0;
    for (const place of this.places) {
      const { process } = place;
      place.cannotWriteSince = undefined;
      const link = this.network.linkOf(process);
      Object.assign(link, { isUp: true, heldUntil: 0, slowUntil: 0 });
      Object.assign(process, { stopsUntil: 0, clockAhead: 0 });
      this.#killAfter.delete(process);
    }
    while (this.running.length < this.places.length) await this.time.pause(500);
  }

  /** Kills everything, and returns the damage of the file. */
  end(): string[] {
    for (const place of this.places) this.#die(place, true);
    if (this.isShared) this.#die(this.#database, true);
    return checkEmbeddedDatabase(databaseFile(this.#parts.dataDir), () => undefined);
  }

  #openEngine(place: Place, host: string): void {
    const failure = (access: Access) => {
      const { nextFailure: next } = this;
      if (next?.access === access && next.before-- === 0) {
        this.nextFailure = null;
        return next.how;
      }
      const { until, how, share } = this.disk;
      return access === 'write' && until > this.time.now && this.dice.chance(share) ? how : null;
    };
    place.engine = new VirtualEngine(databaseFile(this.#parts.dataDir), host, this.network, { failure });
  }

  #die(place: Place, isSilent: boolean): void {
    const { process, engine, server } = place;
    if (process.isDead) return;
    this.time.note(`${place.name} dies`);
    process.isDead = true;
    engine?.die();
    server?.discard();
    Object.assign(place, { engine: null, server: null });
    this.network.drop(process, isSilent);
    for (const cutOff of this.#waiting.get(process) ?? []) cutOff();
    this.#waiting.delete(process);
    this.#killAfter.delete(process);
  }

  /** Lets something happen that belongs to no process. */
  #later(ms: number, kind: string, run: () => void): void {
    processes.exit(() => this.time.after(ms, kind, () => processes.exit(run)));
  }

  #way(): number {
    const [least, limit] = WAY_MS;
    return least + (this.dice.below(1000) / 1000) * (limit - least);
  }

  #isSent(from: Process): boolean {
    const plan = this.#killAfter.get(from);
    if (!plan) return true;
    plan.sends -= 1;
    if (plan.sends > 0) return true;
    if (plan.sends === 0) this.#later(0, 'kill', plan.kill);
    return plan.sends === 0 && plan.isSent;
  }

  #checkDuration(place: Place, name: string, ms: number, answer: Answer | null): void {
    if (answer) this.slowest = Math.max(this.slowest, ms);
    const isStopped = place.process.stopsUntil + ANSWERS_WITHIN_MS > this.time.now;
    if (ms > ANSWERS_WITHIN_MS && !isStopped)
      this.find(`${place.name}: ${name} took ${Math.round(ms)} ms, ${answer?.status ?? 'without an answer'}`);
  }

  #logged(line: string): void {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { type?: string; message?: string } };
    this.count(`logged: ${msg}: ${err?.type ?? ''} ${err?.message?.slice(0, 80) ?? ''}`);
  }
}

function newPlace(name: string): Place {
  return {
    name,
    process: newProcess(name),
    server: null,
    engine: null,
    troubledUntil: 0,
    cannotWriteSince: undefined,
  };
}
