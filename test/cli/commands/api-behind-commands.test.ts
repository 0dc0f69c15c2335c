import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Command } from 'commander';
import { getNamedType, type GraphQLSchema, isObjectType } from 'graphql';
import { expect, test } from 'vitest';

import { gatewaySchema, restSchema } from '../../../resolvers/gateway-schema.ts';
import { ArgumentOption, rootFieldOf } from '../../../cli/shell/resource.ts';
import { createProgram } from '../../../cli/program.ts';
import { leavesOf } from '../../processes/command-leaves.ts';
import { TripSettingsInput } from '../../../schema/account/trip-settings.ts';

/** Commands that ask no root field by themselves: the one that does the same, or the reason why the API has none. */
const OTHERS: Readonly<Record<string, { readonly field: string } | { readonly reason: string }>> = {
  serve: { reason: 'runs the service' },
  config: { reason: 'settings of this process' },
  'setup-link': { reason: 'operator: opens the first account' },
  'account list': { reason: 'operator: all accounts' },
  'account find': { reason: 'operator: all accounts' },
  'account add': { reason: 'operator: opens accounts' },
  'account remove': { reason: 'operator: closes accounts' },
  'account restore': { reason: 'operator: closes accounts' },
  'account update-billing': { reason: 'operator: knows who pays' },
  'account update-partner': { reason: 'operator: knows who sold' },
  'user add': { field: 'createUser' },
  'user disable': { reason: 'operator: suspends users' },
  'user enable': { reason: 'operator: suspends users' },
  'user set-password': { reason: 'operator: helps people back in' },
  'user reset-link': { reason: 'operator: helps people back in' },
  'app add': { field: 'registerApp' },
  'app approve': { reason: 'operator: reviews apps' },
  'subscription add': { reason: 'operator: sells plans' },
  'subscription update': { reason: 'operator: sells plans' },
  'subscription remove': { reason: 'operator: sells plans' },
  'device add': { field: 'createDevice' },
  'trips import': { reason: 'reads files of the machine' },
  'trips recut': { field: 'recutTrips' },
  'trips addresses': { reason: 'operator: completes trips of earlier versions' },
  'trips export': { field: 'exportTripAsGpx' },
  simulate: { reason: 'is a client of ingestion' },
  'token issue': { reason: 'operator: for testing' },
  'oauth-token issue': { reason: 'operator: for testing' },
  openapi: { reason: 'describes REST' },
  usage: { reason: 'operator: clients of all accounts' },
  'audit list': { field: 'securityEvents' },
  'content user add': { reason: 'content interface: users' },
  'content user list': { reason: 'content interface: users' },
  'content user show': { reason: 'content interface: users' },
  'content user update': { reason: 'content interface: users' },
  'content user remove': { reason: 'content interface: users' },
  'content password add': { reason: 'operator: no application passwords in the interface' },
  'content password remove': { reason: 'operator: no application passwords in the interface' },
  'content events': { reason: 'operator: counts of the service' },
  'content front-page': { reason: 'operator: WordPress 4.9 has this setting in its dashboard alone' },
  'content import': { reason: 'reads files of the machine' },
  'content export': { reason: 'writes files of the machine' },
  backup: { reason: 'operator: the database' },
  restore: { reason: 'operator: the database' },
  check: { reason: 'operator: the database' },
  doctor: { reason: 'operator: the installation' },
  'map add': { reason: 'operator: a file' },
  'map list': { reason: 'operator: files' },
  'map show': { reason: 'operator: a file' },
  'map remove': { reason: 'operator: a file' },
  migrate: { reason: 'operator: the database' },
  move: { reason: 'operator: the database' },
  indexes: { reason: 'operator: the database' },
  completion: { reason: 'of this machine' },
  'keys rotate': { reason: 'operator: keys of the service' },
};

const VERBS = ['list', 'show', 'add', 'update', 'remove'];
const leaves = leavesOf(createProgram());
const [graphqlFields, restFields] = (await Promise.all([gatewaySchema(), restSchema()])).map(rootFieldsOf);

function rootFieldsOf(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
  return fields.filter(({ deprecationReason }) => !deprecationReason).map(({ name }) => name);
}

test.each(leaves)('%s asks the API, or says why it does not', (name, command) => {
  const asked = rootFieldOf(command);
  const other = OTHERS[name];
  expect(asked === undefined, name).toBe(other !== undefined);
  const field = asked ?? (other && 'field' in other ? other.field : undefined);
  if (field !== undefined) expect(restFields).toContain(field);
});

test('every query and mutation of GraphQL has a command', () => {
  const asked = new Set([
    ...leaves.map(([, command]) => rootFieldOf(command)),
    ...Object.values(OTHERS).map((other) => ('field' in other ? other.field : undefined)),
  ]);
  // Oneself, to whom an operator has no relation; any record by its id, which `show` of its resource shows; and the token of a
  // page that embeds a share.
  expect(graphqlFields?.filter((field) => !asked.has(field))).toEqual(['me', 'node', 'redeemShare']);
});

/** Resources, which are groups of commands, each with the common verbs that it lacks; in the order of the help. */
function* lackingVerbs(group: Command, path: readonly string[] = []): Generator<readonly [string, readonly string[]]> {
  for (const below of group.commands.filter(({ commands }) => commands.length > 0)) {
    const names = below.commands.map((one) => one.name());
    const lacking = VERBS.filter((verb) => !names.includes(verb));
    const name = [...path, below.name()];
    if (lacking.length > 0) yield [name.join(' '), lacking];
    yield* lackingVerbs(below, name);
  }
}

test('every resource has list, show, add, update and remove, or docs/command-line.md says why it has not', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/command-line.md'), 'utf8');
  const [, rows = ''] = /\n\| resource \| has no \| because \|\n\|-.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const explained = rows
    .trimEnd()
    .split('\n')
    .flatMap((row) => {
      const [resources = '', verbs = '', reason = ''] = row.slice(2, -2).split(' | ');
      expect(reason, row).toMatch(/\w{4}/);
      const lacking = [...verbs.matchAll(/`(\w+)`/g)].map(([, verb]) => verb);
      return [...resources.matchAll(/`([\w -]+)`/g)].map(([, resource]) => [resource, lacking]);
    });
  expect(Object.fromEntries(explained)).toEqual(Object.fromEntries(lackingVerbs(createProgram())));
});

/** Options of `--clear` that empty what the record shows by another name. */
const SHOWN_OTHERWISE = ['vehicle update driver', 'account update-retention positions-days'];

test('--clear offers only what can be empty: texts of an account, and what is a list or null in the record', async () => {
  const mutations = (await restSchema()).getMutationType()?.getFields() ?? {};
  const offered = leaves.flatMap(([name, command]) => {
    const clear = command.options.find(({ long }) => long === '--clear');
    const record = getNamedType(mutations[rootFieldOf(command) ?? '']?.type);
    const fields = isObjectType(record) ? record.getFields() : {};
    const argumentOf = new Map(
      command.options.flatMap((one) => (one instanceof ArgumentOption ? [[one.name(), one.argument]] : [])),
    );
    return (clear?.argChoices ?? []).map((choice) => {
      const type = String(fields[argumentOf.get(choice) ?? '']?.type ?? '!');
      return { name: `${name} ${choice}`, canBeEmpty: !type.endsWith('!') || type.startsWith('[') };
    });
  });
  const others = offered.filter(({ canBeEmpty }) => !canBeEmpty).map(({ name }) => name);
  const ofOperator = ['account update ', 'account update-billing ', 'account update-partner '];
  // The record shows them together, in `trip_settings`.
  const ofSettings = others.filter((name) => name.includes(' update-trip-settings '));
  expect(ofSettings).toHaveLength(2 * TripSettingsInput.fields.filter(({ nullable }) => nullable).length);
  const unexplained = others.filter(
    (name) => !ofSettings.includes(name) && !ofOperator.some((start) => name.startsWith(start)),
  );
  expect(unexplained.toSorted()).toEqual(SHOWN_OTHERWISE.toSorted());
  expect(offered.length).toBeGreaterThan(20);
});

test('records are named by the same words everywhere', () => {
  for (const [name, command] of leaves) {
    const verb = command.name();
    const takesKey = ['show', 'update', 'remove', 'restore'].includes(verb) && rootFieldOf(command) !== undefined;
    if (takesKey)
      expect(
        command.registeredArguments.map((one) => one.name()),
        name,
      ).toEqual(['key']);
    if (VERBS.includes(verb))
      expect(
        command.options.map(({ long }) => long),
        name,
      ).not.toContain('--key');
  }
});

test('no option takes a secret, which the list of processes would show', () => {
  for (const [name, command] of leaves) {
    for (const { long, required, optional } of command.options) {
      if (/password|secret|token|stdin/.test(long ?? ''))
        expect([name, long, required || optional]).toEqual([name, long, false]);
    }
  }
});
