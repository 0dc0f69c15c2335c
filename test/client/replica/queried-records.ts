import { FIELDS, type Kind } from '../../../client/replica/record-fields.ts';
import { LISTS } from '../../../client/replica/read-records.ts';
import type { Replica } from '../../../client/replica/replica.ts';
import { isEventFrom } from '../../../schema/events/event.ts';

/** A record as the service returns it. */
type Queried = Readonly<Record<string, unknown>>;

/** Records by their kinds, each kind in the order of keys. */
export type QueriedRecords = Readonly<Record<string, readonly Queried[]>>;

/** Asks the service as one reader. */
export type Ask = (query: string) => Promise<Record<string, unknown>>;

const KINDS = Object.keys(FIELDS) as Kind[];

/** A reader of the log: an app sees no privacy zones, a driver itself and what it drove. */
export type Reader = 'owner' | 'app' | 'driver';

/** Kinds of records that a reader sees, in an account with privacy zones or without. */
export function kindsOf(reader: Reader, hasZones: boolean): readonly Kind[] {
  if (reader === 'owner') return KINDS;
  const kinds = reader === 'driver' ? (['trip', 'user', 'visit'] as const) : KINDS;
  return kinds.filter((kind) => kind !== 'privacy_zone' && !(hasZones && ['event', 'trip', 'visit'].includes(kind)));
}

/** Reads what a reader sees, by one request. */
export async function queryRecords(ask: Ask, reader: Reader, kinds: readonly Kind[]): Promise<QueriedRecords> {
  const lists = kinds.map((kind) => `${kind}: ${listOf(kind, reader)}`);
  const answers = await Promise.all(lists.map((list) => ask(`{ ${list} }`)));
  const answer: Record<string, unknown> = Object.assign({}, ...answers);
  return Object.fromEntries(kinds.map((kind) => [kind, inOrder(recordsOf(kind, answer[kind]))]));
}

/** Returns the records of a copy, all kinds. */
export async function copiedRecords(copy: Replica): Promise<QueriedRecords> {
  const lists = await Promise.all(
    KINDS.map(
      async (kind) => [kind, inOrder((await copy.list(kind)) as readonly object[] as readonly Queried[])] as const,
    ),
  );
  return Object.fromEntries(lists.filter(([, { length }]) => length > 0));
}

/** Leaves out kinds without records, which a copy does not distinguish from those that the reader does not see. */
export function withoutEmpty(records: QueriedRecords): QueriedRecords {
  return Object.fromEntries(Object.entries(records).filter(([, { length }]) => length > 0));
}

function listOf(kind: Kind, reader: Reader): string {
  if (kind === 'group') return ALL_GROUPS;
  if (kind === 'user' && reader === 'driver') return `me { ${FIELDS.user} }`;
  return `${LISTS[kind]}(first: 1000) { nodes { ${FIELDS[kind]} } }`;
}

const ALL_GROUPS = `groups(show_inactive: true) ${Array.from({ length: 9 }).reduce<string>(
  (below) => `{ ${FIELDS.group} children ${below} }`,
  '{ key }',
)}`;

/** The records of a kind in the answer to its list; a driver's user is one. */
function recordsOf(kind: Kind, answer: unknown): readonly Queried[] {
  if (kind === 'group') return flat(answer as readonly Queried[]);
  const { nodes = [answer as Queried] } = answer as { readonly nodes?: readonly Queried[] };
  return kind === 'event' ? nodes.filter(({ event }) => isEventFrom(String(event), 'device', 'change', 'rule')) : nodes;
}

function flat(groups: readonly Queried[]): readonly Queried[] {
  return groups.flatMap(({ children, ...group }) => [group, ...flat((children ?? []) as readonly Queried[])]);
}

/** Returns records in the order of their keys. */
export function inOrder(records: readonly object[]): readonly Queried[] {
  return (records as readonly Queried[]).toSorted((a, b) => String(a.key).localeCompare(String(b.key)));
}
