import { isEventFrom } from '../../../schema/events/event.ts';

/** A record as a reader holds it. */
type Held = Readonly<Record<string, unknown>>;

/** Asks the service as one reader. */
export type Ask = (query: string) => Promise<Record<string, unknown>>;

/** Fields by which records are compared, by their kinds. */
const FIELDS = {
  device: 'key serial vehicle_key status',
  event: 'key event timestamp context { vehicle { key } rule { key } ended max_speed }',
  group: 'key name active tree_depth',
  place: 'key name radius',
  privacy_zone: 'key radius_meters',
  tag: 'key value',
  trip: 'key vehicle_key user_key gps_distance start_point { timestamp point { lat lon } } end_point { timestamp } tags { key }',
  user: 'key first_name group_keys',
  vehicle: 'key nickname group_keys',
  visit: 'key place_key vehicle_key entry_timestamp exit_timestamp status',
} as const;

type Kind = keyof typeof FIELDS;

const KINDS = Object.keys(FIELDS) as Kind[];

/** Lists of whole accounts; groups are a tree. */
const LISTS: Readonly<Record<Exclude<Kind, 'group'>, string>> = {
  device: 'devices',
  event: 'events',
  place: 'places',
  privacy_zone: 'privacyZones',
  tag: 'tags',
  trip: 'trips',
  user: 'users',
  vehicle: 'vehicles',
  visit: 'visits',
};

/** Kinds that come and go with their vehicles. */
const OF_VEHICLES = ['event', 'trip', 'visit'] as const;

type OfVehicle = (typeof OF_VEHICLES)[number];

function vehicleOf({ vehicle_key, context }: Held): unknown {
  return vehicle_key ?? (context as { readonly vehicle: Held } | undefined)?.vehicle.key;
}

interface ChangePage {
  readonly nodes: readonly (Readonly<Record<Kind, Held | null>> & { readonly kind: Kind; readonly key: string })[];
  readonly page_info: { readonly end_cursor: string; readonly has_next_page: boolean };
}

type Copy = Map<Kind, Map<string, Held>>;

/** A reader of the log: an app sees no privacy zones, a driver itself and what it drove. */
export type Reader = 'owner' | 'app' | 'driver';

const KINDS_OF: Readonly<Record<Reader, readonly Kind[]>> = {
  owner: KINDS,
  app: KINDS.filter((kind) => kind !== 'privacy_zone'),
  driver: ['trip', 'user', 'visit'],
};

/** A copy of what one reader may query, which it holds true by the log of changes alone. */
export class Replica {
  readonly #ask: Ask;
  readonly #reader: Reader;
  readonly #kinds: readonly Kind[];
  #copy: Copy = new Map();
  #cursor: string | null = null;

  constructor(ask: Ask, reader: Reader) {
    this.#ask = ask;
    this.#reader = reader;
    this.#kinds = KINDS_OF[reader];
  }

  /**
   * Reads what has changed.
   * @param pages maximum number of pages; the next call goes on after them
   */
  async follow(size = 1, pages = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#cursor === null) await this.#start();
    for (let page = 0; page < pages; page++) {
      const read = await this.#page(size);
      if (read === null) return this.#start();
      for (const { kind, key, [kind]: record } of read.nodes) await this.#apply(kind, key, record);
      this.#cursor = read.page_info.end_cursor;
      if (!read.page_info.has_next_page) return;
    }
  }

  /** The copy, and what the reader would query now; what vehicles do is left out where the log does not have it for the reader. */
  async compared(hasTrips: boolean): Promise<{ readonly copy: unknown; readonly queried: unknown }> {
    const kinds = this.#kinds.filter((kind) => hasTrips || !OF_VEHICLES.some((one) => one === kind));
    return { copy: inOrder(this.#copy, kinds), queried: inOrder(await this.#query(), kinds) };
  }

  /** A page of the log; null where it has to be read from the start. */
  async #page(size: number): Promise<ChangePage | null> {
    const records = this.#kinds.map((kind) => `${kind} { ${FIELDS[kind]} }`).join(' ');
    const fields = `nodes { kind key ${records} }`;
    const args = `after: ${JSON.stringify(this.#cursor)}, first: ${size}`;
    try {
      const { changes } = await this.#ask(`{ changes(${args}) { ${fields} page_info { end_cursor has_next_page } } }`);
      return changes as ChangePage;
    } catch (error) {
      if (String(error).includes('CURSOR_EXPIRED')) return null;
      throw error;
    }
  }

  async #start(): Promise<void> {
    const { changes } = await this.#ask('{ changes { page_info { end_cursor } } }');
    this.#cursor = (changes as ChangePage).page_info.end_cursor;
    this.#copy = await this.#query();
  }

  async #apply(kind: Kind, key: string, record: Held | null): Promise<void> {
    const held = this.#copy.get(kind) ?? new Map<string, Held>();
    this.#copy.set(kind, held);
    if (kind === 'vehicle') await this.#comeOrGo(key, record === null, held.has(key));
    if (record === null) held.delete(key);
    else held.set(key, record);
  }

  /** A vehicle's trips, visits and events come and go with it. */
  async #comeOrGo(key: string, isGone: boolean, wasThere: boolean): Promise<void> {
    for (const kind of OF_VEHICLES) {
      const held = this.#copy.get(kind) ?? new Map<string, Held>();
      this.#copy.set(kind, held);
      if (isGone) for (const [own, record] of held) if (vehicleOf(record) === key) held.delete(own);
      if (!isGone && !wasThere)
        for (const record of await this.#ofVehicle(kind, key)) held.set(String(record.key), record);
    }
  }

  /** Records of a vehicle; none where it has gone meanwhile, of which the log tells next. */
  async #ofVehicle(kind: OfVehicle, key: string): Promise<readonly Held[]> {
    try {
      return await this.#list(kind, `vehicle_key: "${key}", `);
    } catch (error) {
      if (String(error).includes('NOT_FOUND')) return [];
      throw error;
    }
  }

  /** All that the reader can query, by one request. */
  async #query(): Promise<Copy> {
    const answer = await this.#ask(`{ ${this.#kinds.map((kind) => `${kind}: ${this.#listOf(kind)}`).join(' ')} }`);
    return new Map(
      this.#kinds.map((kind) => {
        const records = recordsOf(kind, answer[kind]);
        return [kind, new Map(records.map((record) => [String(record.key), record]))];
      }),
    );
  }

  #listOf(kind: Kind): string {
    if (kind === 'group') return ALL_GROUPS;
    return kind === 'user' && this.#reader === 'driver' ? `me { ${FIELDS.user} }` : listOf(kind);
  }

  async #list(kind: OfVehicle, of: string): Promise<readonly Held[]> {
    const { list } = await this.#ask(`{ list: ${listOf(kind, of)} }`);
    return recordsOf(kind, list);
  }
}

/** The root field that lists the records of a kind. */
function listOf(kind: Exclude<Kind, 'group'>, of = ''): string {
  return `${LISTS[kind]}(${of}first: 1000) { nodes { ${FIELDS[kind]} } }`;
}

const ALL_GROUPS = `groups(show_inactive: true) ${['{ key }', '', '', ''].reduce(
  (below) => `{ ${FIELDS.group} children ${below} }`,
)}`;

/** The records of a kind in the answer to its list; a driver's user is one. */
function recordsOf(kind: Kind, answer: unknown): readonly Held[] {
  if (kind === 'group') return flat(answer as readonly Held[]);
  const { nodes = [answer as Held] } = answer as { readonly nodes?: readonly Held[] };
  return kind === 'event' ? nodes.filter(({ event }) => isStored(String(event))) : nodes;
}

function isStored(event: string): boolean {
  return isEventFrom(event, 'device', 'change', 'rule');
}

function flat(groups: readonly Held[]): readonly Held[] {
  return groups.flatMap(({ children, ...group }) => [group, ...flat((children ?? []) as readonly Held[])]);
}

function inOrder(copy: Copy, kinds: readonly Kind[]): Readonly<Record<string, readonly Held[]>> {
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      [...(copy.get(kind)?.values() ?? [])].toSorted((a, b) => String(a.key).localeCompare(String(b.key))),
    ]),
  );
}
