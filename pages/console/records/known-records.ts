import { ask, operation } from '../browser/ask.ts';
import { t } from '../browser/texts.ts';
import { type Person, personName } from '../browser/trip-fields.ts';

/** A record with what people call it. */
export type Named = readonly [key: string, name: string];

const VEHICLES = operation<{
  readonly vehicles: { readonly nodes: readonly { key: string; nickname: string | null }[] };
}>('query ConsoleVehicleNames { vehicles(first: 1000) { nodes { key nickname } } }');
interface GroupNode {
  readonly key: string;
  readonly name: string;
  readonly children?: readonly GroupNode[];
}

const GROUPS = operation<{ readonly groups: readonly GroupNode[] }>(
  'query ConsoleGroupNames { groups { key name children { key name children { key name children { key name } } } } }',
);
const USERS = operation<{ readonly users: { readonly nodes: readonly Person[] } }>(
  'query ConsoleUserNames { users(first: 1000) { nodes { key first_name last_name email } } }',
);

/** Reads the names of up to 1,000 vehicles. */
export async function vehicleNames(): Promise<readonly Named[]> {
  const { vehicles } = await ask(VEHICLES, {}, true);
  return vehicles.nodes.map(({ key, nickname }) => [key, nickname ?? t.vehicles.unnamed]);
}

/** Reads the names of active groups of the upper four levels, each with those above it. */
export async function groupNames(): Promise<readonly Named[]> {
  const named = (groups: readonly GroupNode[], above: string): Named[] =>
    groups.flatMap(({ key, name, children = [] }) => [[key, above + name], ...named(children, `${above}${name} › `)]);
  return named((await ask(GROUPS, {}, true)).groups, '');
}

/** Reads the names of up to 1,000 users. */
export async function userNames(): Promise<readonly Named[]> {
  const { users } = await ask(USERS, {}, true);
  return users.nodes.map((user) => [user.key, personName(user)]);
}

/** Name of a record among those that have been read; it may be deleted, or one of too many. */
export function nameOf(kind: keyof typeof t.records.unknown, names: readonly Named[], key: string): string {
  return names.find(([known]) => known === key)?.[1] ?? t.records.unknown[kind];
}
