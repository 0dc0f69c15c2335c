import type { NotificationSender } from '../../../models/store/notification-sender.ts';
import type { Dice } from '../hostile/dice.ts';

import type { Answer, Cluster, Place, Request } from './cluster.ts';
import type { Fleet, SimulatedVehicle } from './fleet.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A position that a device has sent, or will send. */
export interface SentPosition {
  readonly lat: number;
  readonly lon: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly isUnplugged: boolean;
}

/** The event that devices report, of which webhooks are notified. */
export const REPORTED = 'device_unplug';
const STEP_MS = 5000;
const MAX_IN_A_REQUEST = 12;
/** Time within which a request that is repeated succeeds, in milliseconds. */
const DONE_WITHIN_MS = 300_000;

/** Sends a request to any server, again and again until it is answered by a success, and returns that answer. */
export async function askUntilDone(cluster: Cluster, request: Request, isOver: () => boolean): Promise<Answer | null> {
  for (const began = cluster.time.now; !isOver(); ) {
    const place = anyOf(cluster);
    const answer = await cluster.ask(place, request);
    const name = `${request.method ?? 'GET'} ${request.url.split('?')[0]}`;
    cluster.count(`${name.replace(/\/[\w-]{22}/, '/…')}: ${answer?.status ?? 'no answer'}`);
    if (answer && answer.status < 300) return answer;
    if (answer && ![503, 409].includes(answer.status))
      cluster.find(`${place.name}: ${name} is ${answer.status} ${answer.text.slice(0, 200)}`);
    if (cluster.time.now - began > DONE_WITHIN_MS) {
      cluster.find(`${name} has not been done for ${DONE_WITHIN_MS} ms: ${answer?.status} ${answer?.text}`);
      return null;
    }
    await cluster.time.pause(300 + cluster.dice.below(2500));
  }
  return null;
}

function anyOf(cluster: Cluster): Place {
  return cluster.dice.pick(cluster.running.length > 0 ? cluster.running : cluster.places);
}

/** A device that drives in its vehicle, and sends its positions in order until each is acknowledged. */
export class DrivingDevice {
  readonly vehicle: SimulatedVehicle;
  /** Positions that were acknowledged. */
  readonly acknowledged: SentPosition[] = [];
  /** First and last position of each drive. */
  readonly drives: { readonly from: number; to: number; count: number }[] = [];
  readonly #cluster: Cluster;
  readonly #queue: SentPosition[] = [];
  #steps = 0;
  #sending: Promise<void> = Promise.resolve();
  #isSending = false;

  constructor(cluster: Cluster, vehicle: SimulatedVehicle) {
    this.#cluster = cluster;
    this.vehicle = vehicle;
  }

  /** Drives until a time, as `VirtualTime.now`. */
  async drive(until: number): Promise<void> {
    const { time, dice } = this.#cluster;
    const begun = Math.ceil(time.wall / 1000) * 1000;
    const drive = { from: begun, to: begun, count: 0 };
    this.drives.push(drive);
    let nextSend = time.now;
    while (time.now < until) {
      this.#steps += 1;
      const at = Math.ceil(time.wall / 1000) * 1000;
      Object.assign(drive, { to: at, count: drive.count + 1 });
      const place = { lat: 53 + this.#steps / 2000, lon: 8.8 + this.#steps / 2000 };
      this.#queue.push({ ...place, time: at, isUnplugged: dice.chance(0.1) });
      if (time.now >= nextSend && !this.#isSending) {
        this.#sending = this.#send();
        nextSend = time.now + dice.below(20_000);
      }
      await time.pause(STEP_MS);
    }
  }

  /** Sends what is left. */
  async finish(): Promise<void> {
    await this.#sending;
    await this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, 1 + this.#cluster.dice.below(MAX_IN_A_REQUEST));
      const accepted = await this.#post(batch);
      this.#queue.splice(0, batch.length);
      if (accepted > batch.length) this.#cluster.find(`${accepted} of ${batch.length} positions were taken`);
      this.acknowledged.push(...batch);
      if (this.#cluster.dice.chance(0.1) && (await this.#post(batch)) > 0)
        this.#cluster.find(`Positions of ${this.vehicle.vehicle_key} were taken twice: ${batch[0]?.time}`);
    }
    this.#isSending = false;
  }

  async #post(batch: readonly SentPosition[]): Promise<number> {
    const points = batch.map(({ lat, lon, time, isUnplugged }) => ({
      point: { lat, lon },
      timestamp: new Date(time).toISOString(),
      heading: 45,
      speed: 30,
      events: isUnplugged ? [REPORTED] : [],
    }));
    const { headers } = this.vehicle;
    const request: Request = { method: 'POST', url: '/api/v2/ingest', headers, body: { points } };
    const answer = await askUntilDone(this.#cluster, request, () => false);
    const { accepted, duplicates } = JSON.parse(answer?.text ?? '{}') as { accepted: number; duplicates: number };
    if (accepted + duplicates !== batch.length) this.#cluster.find(`POST /ingest answered ${answer?.text}`);
    return accepted;
  }
}

/** Somebody who makes groups, and renames them. */
export class GroupMaker {
  /** Names of the groups by key, as they were last acknowledged. */
  readonly made = new Map<string, string>();
  /** Names sent once without an `Idempotency-Key`, of which there may be a group or not. */
  readonly uncertain = new Set<string>();
  readonly #cluster: Cluster;
  readonly #fleet: Fleet;
  #next = 0;

  constructor(cluster: Cluster, fleet: Fleet) {
    this.#cluster = cluster;
    this.#fleet = fleet;
  }

  async work(until: number): Promise<void> {
    const { time, dice } = this.#cluster;
    while (time.now < until) {
      await time.pause(500 + dice.below(6000));
      const keys = [...this.made.keys()];
      if (keys.length > 0 && dice.chance(0.4)) await this.#rename(dice.pick(keys));
      else if (dice.chance(0.2)) await this.#makeOnce();
      else await this.#make();
    }
  }

  async #make(): Promise<void> {
    const name = `Group ${this.#next++}`;
    const answer = await this.#post('/api/v2/groups', { name }, name);
    const { key } = JSON.parse(answer?.text ?? '{}') as { key?: string };
    if (key === undefined) return;
    if (this.made.has(key)) this.#cluster.find(`Two groups are ${key}`);
    this.made.set(key, name);
  }

  /** Sends a request that is not repeated. */
  async #makeOnce(): Promise<void> {
    const name = `Group ${this.#next++}`;
    const place = anyOf(this.#cluster);
    const { headers } = this.#fleet;
    const answer = await this.#cluster.ask(place, { method: 'POST', url: '/api/v2/groups', headers, body: { name } });
    this.#cluster.count(`POST once: ${answer?.status ?? 'no answer'}`);
    if (answer?.status === 201) this.made.set((JSON.parse(answer.text) as { key: string }).key, name);
    else this.uncertain.add(name);
  }

  async #rename(key: string): Promise<void> {
    const name = `Group ${this.#next++}`;
    await this.#post(`/api/v2/group/${key}`, { name }, name);
    this.made.set(key, name);
  }

  #post(url: string, body: unknown, name: string): Promise<Answer | null> {
    const headers = { ...this.#fleet.headers, 'idempotency-key': name };
    return askUntilDone(this.#cluster, { method: 'POST', url, headers, body }, () => false);
  }
}

/** An entry of the feed. */
interface Entry {
  readonly kind: string;
  readonly key: string;
  readonly happened: 'created' | 'updated' | 'deleted';
  readonly [kind: string]: unknown;
}

/** Somebody who keeps a copy of the account by its feed. */
export class Copier {
  /** Records as the feed last told them, by kind and key. */
  readonly records = new Map<string, unknown>();
  entries = 0;
  readonly #cluster: Cluster;
  readonly #fleet: Fleet;
  #cursor: string | null = null;

  constructor(cluster: Cluster, fleet: Fleet) {
    this.#cluster = cluster;
    this.#fleet = fleet;
  }

  async begin(): Promise<void> {
    await this.#read(0, () => false);
  }

  async work(until: number): Promise<void> {
    while (this.#cluster.time.now < until)
      await this.#read(this.#cluster.dice.below(8), () => this.#cluster.time.now > until);
  }

  /** Reads until there is nothing more. */
  async finish(): Promise<void> {
    for (let empty = 0; empty < 2; ) empty = (await this.#read(1, () => false)) === 0 ? empty + 1 : 0;
  }

  async #read(waits: number, isOver: () => boolean): Promise<number> {
    const cursor = this.#cursor === null ? '' : `&cursor=${encodeURIComponent(this.#cursor)}`;
    const url = `/api/v2/changes?wait=${waits}${cursor}`;
    const answer = await askUntilDone(this.#cluster, { url, headers: this.#fleet.headers, waits }, isOver);
    if (!answer) return 0;
    const { changes, cursor: next } = JSON.parse(answer.text) as { changes: Entry[]; cursor: string };
    this.#cursor = next;
    this.entries += changes.length;
    for (const { kind, key, happened, ...others } of changes) {
      if (happened === 'deleted') this.records.delete(`${kind} ${key}`);
      else this.records.set(`${kind} ${key}`, others[kind]);
    }
    return changes.length;
  }
}

/** Somebody who looks whether servers are ready, as a load balancer does. */
export class BalanceLooks {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async work(until: number): Promise<void> {
    const { time, dice } = this.#cluster;
    while (time.now < until) {
      await time.pause(500 + dice.below(4000));
      await this.#look(anyOf(this.#cluster));
    }
  }

  async #look(place: Place): Promise<void> {
    const { time } = this.#cluster;
    const { process } = place;
    const began = time.now;
    const isCalm = this.#cluster.isCalm(place);
    const answer = await this.#cluster.ask(place, { url: '/readyz' });
    if (!answer || process.isDead || process !== place.process || process.stopsUntil > began) return;
    const { status } = answer;
    this.#cluster.count(`readyz: ${status}`);
    // It is asked at most every two seconds, and its answer comes within two.
    const since = place.cannotWriteSince ?? Number.POSITIVE_INFINITY;
    if (status === 200 && began - since > 4100)
      this.#cluster.find(`${place.name} is ready, but has not been able to write for ${Math.round(began - since)} ms`);
    if (status !== 200 && isCalm && this.#cluster.isCalm(place))
      this.#cluster.find(`${place.name} is not ready, though nothing has been wrong for long: ${status}`);
    if (time.now - began > 3000 && !this.#isSlow(place))
      this.#cluster.find(`${place.name}: /readyz took ${Math.round(time.now - began)} ms`);
  }

  #isSlow({ process }: Place): boolean {
    return process.stopsUntil + 3000 > this.#cluster.time.now;
  }
}

/** A notification that a receiver got. */
export interface ReceivedNotification {
  readonly id: string;
  readonly event: string;
  readonly vehicle_key: string;
  readonly timestamp: string;
  readonly isDeleted: boolean;
}

/** The receiver of the webhook: it takes its time, and now and then does not answer as it should. */
export class Receiver implements NotificationSender {
  readonly received: ReceivedNotification[] = [];
  /** False where it answers at once, and by a success. */
  isMoody = true;
  readonly #time: VirtualTime;
  readonly #dice: Dice;

  constructor(time: VirtualTime, dice: Dice) {
    this.#time = time;
    this.#dice = dice;
  }

  readonly mayReach = (): boolean => true;

  readonly post: NotificationSender['post'] = async ({ headers, body, signal }) => {
    const mood = this.isMoody ? this.#dice.below(20) : 19;
    await this.#time.pause(mood === 0 ? 15_000 : 5 + this.#dice.below(mood < 4 ? 3000 : 200));
    if (signal?.aborted) throw new Error('The request was ended');
    if (mood === 0) throw new Error('No answer in 15 seconds');
    if (mood === 1) return { status_code: 503, response: '', retry_after: null };
    const { event, car, timestamp, deleted } = JSON.parse(body) as {
      event: string;
      car: { key: string };
      timestamp: string;
      deleted?: boolean;
    };
    const id = headers['webhook-id'] ?? '';
    const time = new Date(timestamp).toISOString();
    this.received.push({ id, event, vehicle_key: car.key, timestamp: time, isDeleted: deleted ?? false });
    // The answer is lost.
    if (mood === 2) throw new Error('read ECONNRESET');
    return { status_code: 200, response: '', retry_after: null };
  };
}
