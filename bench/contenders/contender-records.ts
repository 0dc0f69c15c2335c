import { randomBytes } from 'node:crypto';

import mongoose from 'mongoose';

import { hashSecret } from '../../auth/secrets/secrets.ts';
import { newKey } from '../../models/key.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';

/** The owner of an account, by API key. */
export interface ContenderOwner {
  readonly account_key: string;
  readonly secret_hash: string;
  readonly isPremium: boolean;
}

/** The user for whom an access token stands. */
export interface ContenderHolder {
  readonly account_key: string;
  readonly client_id: string;
  readonly grant_hash: string;
  /** Scopes that the token, its grant and its app allow. */
  readonly scopes: readonly string[];
  /** Groups to which the user is restricted; empty for all. */
  readonly group_keys: readonly string[];
}

/** A device as it is shown; its times are texts. */
export interface ContenderDevice {
  readonly key: string;
  readonly serial: string;
  readonly status: string;
  readonly vehicle_key: string | null;
  readonly is_connected: boolean;
  readonly disconnected_timestamp: string | null;
  readonly last_transmission: string | null;
}

/** A group as it is shown; its times are texts. */
export interface ContenderGroup {
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly parent_group_key: string | null;
  readonly children: ContenderGroup[];
  readonly member_counts: { readonly car: number; readonly user: number };
  readonly tree_depth: number;
  readonly created: string;
  readonly updated: string;
}

/** A page of devices; the cursor is null on the last one. */
export interface ContenderPage {
  readonly devices: ContenderDevice[];
  readonly cursor: string | null;
}

/** An answer that is sent as it is stored. */
export interface ContenderAnswer {
  /** Path with its query. */
  readonly _id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** True if a nonce must be put into headers and body. */
  readonly hasNonce: boolean;
}

interface StoredDevice extends Pick<ContenderDevice, 'key' | 'serial' | 'status' | 'vehicle_key'> {
  readonly last_transmission: Date | null;
}

/** A new place as it is asked for. */
export interface ContenderPlaceInput {
  readonly name: string;
  readonly point: { readonly lat: number; readonly lon: number };
  readonly radius: number;
}

interface StoredGroup {
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly parent_key: string | null;
  readonly group_path: readonly string[];
  readonly tree_depth: number;
  readonly created: Date;
  readonly updated: Date;
}

/** Limits that the service keeps, and how long its security log does. */
const MAX_PLACES = 10_000;
const MAX_SHARES = 1000;
const LOG_MS = 365 * 86_400_000;
const PLACE_DEFAULTS = {
  ...{ border_meters: 50, border_seconds: 300, dwell_seconds: 0, active_weekdays: [0, 1, 2, 3, 4, 5, 6] },
  ...{ from_time: null, to_time: null, time_zone: 'UTC', notifying_arrival: true, notifying_departure: true },
};
/** MongoDB's code for a value that a unique index has. */
const DUPLICATE_KEY = 11_000;
const SILENT_MS = 15 * 60_000;
const LAST_USE_MS = 60_000;
const DEVICE_FIELDS = { _id: 0, key: 1, serial: 1, status: 1, vehicle_key: 1, last_transmission: 1 } as const;
const GROUP_FIELDS = {
  ...{ _id: 0, key: 1, name: 1, active: 1, parent_key: 1, group_path: 1, tree_depth: 1, created: 1, updated: 1 },
} as const;

/** The look-ups of the service, with the driver alone. */
export class ContenderRecords {
  readonly #db: mongoose.mongo.Db;

  private constructor(db: mongoose.mongo.Db) {
    this.#db = db;
  }

  /** Stores an answer in place of an earlier one. */
  async storeAnswer(answer: ContenderAnswer): Promise<void> {
    await this.#answers.replaceOne({ _id: answer._id }, answer, { upsert: true });
  }

  /** The stored answer of a path; null if there is none. */
  answer(path: string): Promise<ContenderAnswer | null> {
    return this.#answers.findOne({ _id: path }, { promoteBuffers: true });
  }

  get #answers(): mongoose.mongo.Collection<ContenderAnswer> {
    return this.#db.collection<ContenderAnswer>('bench_answers');
  }

  /** A collection, for look-ups of one contender alone. */
  collection<Stored extends mongoose.mongo.Document = mongoose.mongo.Document>(name: string) {
    return this.#db.collection<Stored>(name);
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.#db.client.close();
  }

  /** Connects to the database of a service. */
  static async connect(uri: string): Promise<ContenderRecords> {
    const client = new mongoose.mongo.MongoClient(uri);
    await client.connect();
    return new ContenderRecords(client.db());
  }

  /** Finds the owner whom an API key proves, and notes once a minute that it was used. */
  async ownerOf(apiKey: string): Promise<ContenderOwner | null> {
    const secret_hash = hashSecret(apiKey);
    const keys = this.#db.collection('api_keys');
    const [found] = await keys
      .aggregate([
        { $match: { secret_hash } },
        { $lookup: { from: 'accounts', localField: 'account_key', foreignField: 'key', as: 'account' } },
        { $unwind: '$account' },
        { $project: { key: 1, account_key: 1, revoked: 1, last_used: 1, account: { account_plan: 1 } } },
      ])
      .toArray();
    if (!found || found.revoked !== null) return null;
    const now = new Date();
    if (!(now.getTime() - ((found.last_used as Date | null) ?? new Date(0)).getTime() < LAST_USE_MS)) {
      await keys.updateOne({ key: found.key }, { $max: { last_used: now } });
    }
    return { account_key: found.account_key, secret_hash, isPremium: found.account.account_plan === 'premium' };
  }

  /** Finds a device of an account. */
  async device(account_key: string, key: string): Promise<ContenderDevice | null> {
    const devices = this.#db.collection<StoredDevice>('devices');
    const found = await devices.findOne({ key, account_key } as object, { projection: DEVICE_FIELDS });
    return found && presented(found, Date.now());
  }

  /** Lists pending and installed devices from a cursor on; null if no device has it. */
  async devices(account_key: string, size: number, cursor?: string): Promise<ContenderPage | null> {
    const devices = this.#db.collection<StoredDevice>('devices');
    const start = cursor === undefined ? null : await devices.findOne({ key: cursor, account_key } as object);
    if (cursor !== undefined && !start) return null;
    const filter = {
      account_key,
      status: { $in: ['pending', 'installed'] },
      ...(start && { _id: { $gte: start._id } }),
    };
    const found = await devices
      .find(filter as object, { projection: DEVICE_FIELDS, sort: { _id: 1 }, limit: size + 1, batchSize: 1000 })
      .toArray();
    const now = Date.now();
    const page = found.slice(0, size).map((device) => presented(device, now));
    return { devices: page, cursor: found[size]?.key ?? null };
  }

  /** The active groups of an account as trees, with the numbers of their members. */
  async groups(account_key: string): Promise<ContenderGroup[]> {
    const groups = this.#db.collection<StoredGroup>('groups');
    const found = await groups
      .find({ account_key } as object, { projection: GROUP_FIELDS, sort: { _id: 1 }, batchSize: 1000 })
      .toArray();
    const hidden = new Set(found.filter(({ active }) => !active).map(({ key }) => key));
    const [cars, users] = await Promise.all([
      this.#countByGroup('vehicles', { account_key }),
      this.#countByGroup('users', { account_key, disabled: false }),
    ]);
    const nodes = new Map<string, ContenderGroup>();
    const tops: ContenderGroup[] = [];
    for (const stored of found) {
      if (hidden.size > 0 && stored.group_path.some((key) => hidden.has(key))) continue;
      const node = groupOf(stored, cars.get(stored.key) ?? 0, users.get(stored.key) ?? 0);
      nodes.set(stored.key, node);
      (nodes.get(stored.parent_key ?? '')?.children ?? tops).push(node);
    }
    return tops;
  }

  /** Creates a group under an active one, or under the account; null if there is none to be under. */
  async createGroup(account_key: string, name: string, parentKey?: string): Promise<ContenderGroup | null> {
    const groups = this.#db.collection<StoredGroup>('groups');
    const parent =
      parentKey === undefined ? null : await groups.findOne({ key: parentKey, account_key, active: true } as object);
    if (parentKey !== undefined && !parent) return null;
    const key = newKey();
    const now = new Date();
    const group = {
      ...{ key, name: name.trim(), active: true, created: now, updated: now, account_key },
      parent_key: parent?.key ?? null,
      group_path: [...(parent?.group_path ?? []), key],
      tree_depth: (parent?.tree_depth ?? 1) + 1,
    };
    await groups.insertOne(group);
    return groupOf(group, 0, 0);
  }

  /** Creates a device with the oldest active subscription of an account; null if another device has its serial. */
  async createDevice(account_key: string, serial: string): Promise<ContenderDevice | null> {
    const subscription = await this.#db
      .collection('subscriptions')
      .findOne({ account_key, status: 'active' }, { projection: { key: 1 }, sort: { _id: 1 } });
    const device = { key: newKey(), ...serialFields(serial), status: 'pending', vehicle_key: null };
    try {
      await this.#db.collection('devices').insertOne({
        ...{ ...device, account_key, subscription_key: subscription?.key ?? null, subscription_status: 'active' },
        ...{ group_keys: [], group_path: [], last_transmission: null, deleted_at: null },
      });
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return null;
      throw error;
    }
    return presented({ ...device, last_transmission: null }, Date.now());
  }

  /** Creates a place, and counts the change of the places of an account; null if it has too many. */
  async createPlace(account_key: string, { name, point, radius }: ContenderPlaceInput) {
    const places = this.#db.collection('places');
    if ((await places.countDocuments({ account_key })) >= MAX_PLACES) return null;
    const now = new Date();
    const place = {
      ...{ key: newKey(), name: name.trim(), category: 'other', point, radius, polygon: [] },
      ...PLACE_DEFAULTS,
    };
    await places.insertOne({ ...place, account_key, created: now, updated: now, area_since: now, former_areas: [] });
    await this.#db.collection('accounts').updateOne({ key: account_key }, { $inc: { places_revision: 1 } });
    return { ...place, created: withSpace(now), updated: withSpace(now) };
  }

  /** Shares a vehicle and notes it in the security log; null if the account has no such vehicle, or too many shares. */
  async createShare(account_key: string, vehicle_key: string, expires: Date) {
    const vehicles = this.#db.collection('vehicles');
    if (!(await vehicles.findOne({ key: vehicle_key, account_key }, { projection: { key: 1 } }))) return null;
    const shares = this.#db.collection('shares');
    const maker = { client_id: null, user_key: null };
    if ((await shares.countDocuments({ account_key, ...maker })) >= MAX_SHARES) return null;
    const secret = `wb_share_${randomBytes(32).toString('base64url')}`;
    const now = new Date();
    const shared = { key: newKey(), vehicle_key, group_key: null, trip_key: null };
    const rest = { ends_with_trip: false, opened_count: 0, last_opened: null, embeddings: [], embeds_live: false };
    const hidden = {
      account_key,
      ...maker,
      grant_hash: null,
      secret_hash: hashSecret(secret),
      embed_secret_hash: null,
    };
    await shares.insertOne({ ...shared, ...rest, ...hidden, expires, created: now, updated: now });
    await this.#db.collection('security_events').insertOne({
      ...{ key: newKey(), kind: 'share_created', time: now, actor: 'owner', account_key, user_key: null },
      ...{ subject: shared.key, count: 1, once: null, network: null, browser: null },
      expires_at: new Date(now.getTime() + LOG_MS),
    });
    const times = { created: withSpace(now), updated: withSpace(now) };
    return { ...shared, expires: withOffset(expires), ...rest, ...times, secret };
  }

  /** The hash of an app's secret; null if there is no such app. */
  async secretHashOf(client_id: string): Promise<string | null> {
    const app = await this.#db.collection('apps').findOne({ client_id }, { projection: { _id: 0, secret_hash: 1 } });
    return (app?.secret_hash as string | null | undefined) ?? null;
  }

  /** Finds the holder of an access token with its grant, user and app. */
  async holderOf(accessToken: string): Promise<ContenderHolder | null> {
    const [found] = await this.#db
      .collection('oauth_records')
      .aggregate([
        { $match: { kind: 'AccessToken', id_hash: hashSecret(accessToken) } },
        { $lookup: { from: 'oauth_records', localField: 'grant_hash', foreignField: 'id_hash', as: 'grant' } },
        { $unwind: '$grant' },
        { $match: { 'grant.kind': 'Grant' } },
        { $lookup: { from: 'users', localField: 'grant.user_key', foreignField: 'key', as: 'user' } },
        { $unwind: '$user' },
        { $lookup: { from: 'apps', localField: 'grant.client_id', foreignField: 'client_id', as: 'app' } },
        { $unwind: '$app' },
        {
          $project: {
            ...{ _id: 0, scopes: 1, expires_at: 1, grant: { id_hash: 1, client_id: 1, scopes: 1 } },
            ...{ user: { account_key: 1, disabled: 1, group_keys: 1 }, app: { scopes: 1 } },
          },
        },
      ])
      .toArray();
    if (!found || found.user.disabled || !(found.expires_at > new Date())) return null;
    const { grant, user, app } = found;
    const scopes = (found.scopes as string[]).filter((one) => grant.scopes.includes(one) && app.scopes.includes(one));
    const { account_key, group_keys } = user;
    return { account_key, group_keys, client_id: grant.client_id, grant_hash: grant.id_hash, scopes };
  }

  /** Returns true if a user may see a vehicle. */
  async sees({ account_key, group_keys }: ContenderHolder, vehicleKey: string): Promise<boolean> {
    const inGroups = group_keys.length === 0 ? {} : { group_path: { $in: [...group_keys] } };
    const vehicles = this.#db.collection('vehicles');
    const filter = { key: vehicleKey, account_key, ...inGroups };
    return (await vehicles.findOne(filter, { projection: { _id: 0, key: 1 } })) !== null;
  }

  /** The newest key with which tokens are signed, as a JWK in JSON, and its id. */
  async signingKey(): Promise<{ readonly kid: string; readonly private_key: string }> {
    const keys = this.#db.collection<{ kid: string; private_key: string }>('signing_keys');
    const key = await keys.findOne({}, { sort: { created: -1, _id: -1 } });
    if (!key) throw new Error('There is no key to sign with');
    return key;
  }

  async #countByGroup(collection: string, filter: object): Promise<Map<string, number>> {
    const counts = await this.#db
      .collection(collection)
      .aggregate<{ _id: string; members: number }>([
        { $match: filter },
        { $unwind: '$group_path' },
        { $group: { _id: '$group_path', members: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id, members }) => [_id, members]));
  }
}

function presented(
  { key, serial, status, vehicle_key, last_transmission }: StoredDevice,
  now: number,
): ContenderDevice {
  const silentSince = last_transmission === null ? null : last_transmission.getTime() + SILENT_MS;
  const is_connected = silentSince !== null && now < silentSince;
  const isLost = silentSince !== null && !is_connected;
  return {
    ...{ key, serial, status, vehicle_key, is_connected },
    disconnected_timestamp: isLost ? withOffset(new Date(silentSince)) : null,
    last_transmission: last_transmission && withOffset(last_transmission),
  };
}

function groupOf(stored: StoredGroup, car: number, user: number): ContenderGroup {
  const { key, name, active, parent_key: parent_group_key, tree_depth, created, updated } = stored;
  const below = { parent_group_key, children: [], member_counts: { car, user } };
  return { key, name, active, ...below, tree_depth, created: withSpace(created), updated: withSpace(updated) };
}

function withOffset(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

function withSpace(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
