import { RequestError } from '../service/request-error.ts';
import { ask, type ServiceAccess } from '../service/service-request.ts';
import { DERIVED_EVENTS, FIELDS, type Kind, type RecordOf } from './record-fields.ts';
import type { StoredRecord } from './replica-store.ts';

/** Root fields that list records; groups are a tree. */
export const LISTS: Readonly<Record<Exclude<Kind, 'group'>, string>> = {
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
/** Size of a page of a list. */
const FIRST = 1000;
/** Levels of groups that are read by one request. */
const LEVELS = 6;

type Read = RecordOf<Kind>;

interface Connection {
  readonly nodes: readonly Read[];
  readonly page_info: { readonly end_cursor: string; readonly has_next_page: boolean };
}

/** Reads the records of a kind that the caller can see, or those of a vehicle, page by page. */
export async function* readRecords(
  service: ServiceAccess,
  kind: Kind,
  signal: AbortSignal,
  vehicleKey?: string,
): AsyncGenerator<readonly StoredRecord[]> {
  const stored = (records: readonly Read[]) => records.filter(isLogged).map((record) => storedOf(kind, record));
  if (kind === 'group') return yield stored(await readGroups(service, null, signal));
  const [declared, passed] =
    vehicleKey === undefined ? ['', ''] : [', $vehicle_key: String', 'vehicle_key: $vehicle_key, '];
  const query = `query Replica($first: Int, $after: String${declared}) {
    list: ${LISTS[kind]}(${passed}first: $first, after: $after) { nodes { ${FIELDS[kind]} } page_info { end_cursor has_next_page } }
  }`;
  let after: string | null = null;
  do {
    const variables: object = { first: FIRST, after, vehicle_key: vehicleKey };
    const page: Connection | null = await readPage(service, query, variables, signal).catch((error: unknown) => {
      if (kind === 'user' && error instanceof RequestError && error.code === 'FORBIDDEN') return null;
      throw error;
    });
    yield stored(page ? page.nodes : [await readSelf(service, signal)]);
    after = page?.page_info.has_next_page ? page.page_info.end_cursor : null;
  } while (after !== null);
}

/** Returns a record as it is stored. */
export function storedOf(kind: Kind, record: Read): StoredRecord {
  const vehicle = kind === 'trip' || kind === 'visit' || kind === 'event' ? vehicleOf(record) : null;
  return { kind, key: record.key, vehicle, record };
}

function vehicleOf(record: Read): string | null {
  if ('context' in record) return record.context.vehicle?.key ?? null;
  return 'vehicle_key' in record ? record.vehicle_key : null;
}

function isLogged(record: Read): boolean {
  return !('event' in record && DERIVED_EVENTS.has(record.event));
}

async function readPage(
  service: ServiceAccess,
  query: string,
  variables: object,
  signal: AbortSignal,
): Promise<Connection> {
  return (await ask<{ list: Connection }>(service, query, variables, signal)).list;
}

/** Reads the user for whom a caller acts that sees no others, such as a driver. */
async function readSelf(service: ServiceAccess, signal: AbortSignal): Promise<Read> {
  return (await ask<{ me: Read }>(service, `query Replica { me { ${FIELDS.user} } }`, {}, signal)).me;
}

type Tree = RecordOf<'group'> & { readonly children?: readonly Tree[] };

const TREE = `${Array.from({ length: LEVELS }).reduce<string>((below) => `{ ${FIELDS.group} children ${below} }`, '{ key }')}`;
const GROUPS_QUERY = `query Replica($keys: [String!]) { groups(group_keys: $keys, show_inactive: true) ${TREE} }`;

/** Reads groups with all below them, and those that are deeper by further requests; all visible ones without keys. */
async function readGroups(
  service: ServiceAccess,
  keys: readonly string[] | null,
  signal: AbortSignal,
): Promise<readonly RecordOf<'group'>[]> {
  const { groups } = await ask<{ groups: readonly Tree[] }>(service, GROUPS_QUERY, { keys }, signal);
  const found: RecordOf<'group'>[] = [];
  const deeper: string[] = [];
  const collect = (trees: readonly Tree[], level: number): void => {
    for (const { children = [], ...group } of trees) {
      if (level > LEVELS) deeper.push(group.key);
      else found.push(group);
      collect(children, level + 1);
    }
  };
  collect(groups, 1);
  return deeper.length === 0 ? found : [...found, ...(await readGroups(service, deeper, signal))];
}
