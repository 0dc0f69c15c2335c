import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { createHash } from 'node:crypto';

import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { brokenJson, nastyQuery, nastyText, nastyValue } from '../nasty-values.ts';
import { ACCOUNT_CALLERS, type World } from '../world.ts';
import { knownValue } from './account.ts';

type Field = GraphQLField<unknown, unknown>;

/** Weights of callers; of others 1. */
const GRAPHQL_WEIGHTS: Readonly<Record<string, number>> = { owner: 12, session: 4, app: 3, 'trip token': 3 };

/** Operations over the whole schema, bombs, and requests that are no GraphQL. */
export function graphqlRequest(dice: Dice, world: World): Draft {
  const caller = dice.weighted(ACCOUNT_CALLERS.map((name) => [GRAPHQL_WEIGHTS[name] ?? 1, name]));
  const headers = world.callers[caller] ?? [];
  const query = dice.weighted<() => string>([
    [12, () => operation(dice, world)],
    [2, () => bomb(dice)],
    [1, () => dice.pick(ODD_DOCUMENTS)],
    [1, () => nastyText(dice)],
  ])();
  const message = oddMessage(dice, query);
  if (dice.chance(0.1)) {
    const search = new URLSearchParams(
      Object.entries(message).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      ]),
    );
    const extra = dice.chance(0.2) ? nastyQuery(dice, ['query', 'variables', 'extensions']).replace('?', '&') : '';
    const fields = [...headers, ...(dice.chance(0.7) ? [['Apollo-Require-Preflight', '1'] as const] : [])];
    return {
      caller,
      method: dice.pick(['GET', 'GET', 'HEAD']),
      target: `/graphql?${search}${extra}`.slice(0, 12_000),
      headers: fields,
    };
  }
  const body = dice.weighted<() => string | Buffer>([
    [14, () => JSON.stringify(message)],
    [1, () => JSON.stringify([message, message])],
    [1, () => brokenJson(dice)],
    [0.3, () => query],
  ])();
  const type = dice.chance(0.93)
    ? 'application/json'
    : dice.pick([
        'application/graphql',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        '',
      ]);
  return { caller, method: 'POST', target: '/graphql', headers: [...headers, ['Content-Type', type]], body };
}

const ODD_DOCUMENTS = [
  'subscription { plan { name } }',
  'query A { account { key } } query B { account { key } }',
  'fragment A on Account { key }',
  'query ($a: Int = "x") { account { key } }',
  'query ($a: [Int!]! = [1, null]) { trips(vehicle_key: $a) { nodes { key } } }',
  '{ account { ...A } } fragment A on Account { ...B } fragment B on Account { ...A key }',
  '{ __schema { types { name fields { name type { name ofType { name ofType { name } } } } } } }',
  '{ __type(name: "__proto__") { name fields { name } } }',
  '{ account { key @skip(if: true) @include(if: false) } }',
  '{ account @deprecated { key } }',
  'query @skip(if: true) { account { key } }',
  'mutation { deletePrivacyZone(key: "\\u0000") }',
  'mutation { a: createGroup(name: "x") { key } b: createGroup(name: "x", parent_group_key: "x") { key } }',
  '{ vehicles(first: 2147483648) { nodes { key } } }',
  '{ vehicles(first: 1e400) { nodes { key } } }',
  '{ vehicles(after: "\\ud800") { nodes { key } } }',
  '{ constructor { key } __proto__ { key } toString }',
  '{ account { __typename __typename: key } }',
  'schema { query: Query }',
  '"""x""" type A { a: Int }',
  `{ account { key } } # ${'x'.repeat(10_000)}`,
];

function oddMessage(dice: Dice, query: string): Record<string, unknown> {
  const message: Record<string, unknown> = { query };
  if (dice.chance(0.3))
    message.variables = dice.chance(0.5) ? nastyValue(dice) : { a: nastyValue(dice), b: nastyValue(dice) };
  if (dice.chance(0.15)) message.operationName = dice.chance(0.5) ? 'A' : nastyValue(dice);
  if (dice.chance(0.1)) {
    const sha256Hash = dice.chance(0.5) ? createHash('sha256').update(query).digest('hex') : nastyValue(dice);
    message.extensions = dice.chance(0.8)
      ? { persistedQuery: { version: dice.pick([1, 1, 2, null]), sha256Hash } }
      : nastyValue(dice);
    if (dice.chance(0.5)) delete message.query;
  }
  if (dice.chance(0.05)) message.query = nastyValue(dice);
  return message;
}

/** An operation of fields that exist, with arguments that mean something or nothing. */
function operation(dice: Dice, world: World): string {
  const isMutation = dice.chance(0.25);
  const root = isMutation ? world.schema.getMutationType() : world.schema.getQueryType();
  const fields = Object.values(root?.getFields() ?? {});
  const chosen = Array.from({ length: 1 + dice.below(isMutation ? 2 : 3) }, (_, index) => {
    const alias = dice.chance(0.2) ? `a${index}: ` : '';
    return alias + selection(dice, world, dice.pick(fields), 0);
  });
  return `${isMutation ? 'mutation' : 'query'} A${dice.chance(0.2) ? '($a: String, $b: Int)' : ''} { ${chosen.join(' ')} }`;
}

function selection(dice: Dice, world: World, field: Field, depth: number): string {
  const args = field.args.flatMap(({ name, type }) => {
    const isLeftOut = isNonNullType(type) ? dice.chance(0.05) : dice.chance(0.5);
    return isLeftOut ? [] : [`${name}: ${argument(dice, world, name, type)}`];
  });
  return field.name + (args.length > 0 ? `(${args.join(', ')})` : '') + below(dice, world, field.type, depth);
}

function below(dice: Dice, world: World, type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields());
  const isDeep = depth > 3;
  const chosen = fields.filter((field) => (isDeep ? !isObjectType(getNamedType(field.type)) : dice.chance(0.35)));
  if (chosen.length === 0) return ' { __typename }';
  return ` { ${chosen.map((field) => selection(dice, world, field, depth + 1)).join(' ')} }`;
}

function argument(dice: Dice, world: World, name: string, type: GraphQLInputType): string {
  if (isNonNullType(type)) return dice.chance(0.03) ? 'null' : argument(dice, world, name, type.ofType);
  if (isListType(type)) return `[${dice.some(3, () => argument(dice, world, name, type.ofType)).join(', ')}]`;
  if (isEnumType(type)) return dice.pick(type.getValues()).name;
  if (isInputObjectType(type)) {
    const members = Object.values(type.getFields()).filter(() => dice.chance(0.5));
    return `{ ${members.map((field) => `${field.name}: ${argument(dice, world, field.name, field.type)}`).join(', ')} }`;
  }
  if (dice.chance(0.05)) return dice.pick(['$a', '$b', '{}', '[]', 'X', '{a: 1}', '"""block"""']);
  switch (type.name) {
    case 'Int':
      return dice.pick(['0', '1', '-1', '10', '1000', '1001', '2147483647', '2147483648', '1e3', '0.5', 'null']);
    case 'Float':
      return dice.pick(['0', '-0', '0.5', '1e308', '1e400', '-1e400', '53.07', '90', '181', '1e-320', 'null']);
    case 'Boolean':
      return dice.pick(['true', 'false', 'null', '1']);
    default:
      return JSON.stringify(textFor(dice, world, name));
  }
}

function textFor(dice: Dice, world: World, name: string): string {
  const meant = world.known[name];
  if (meant !== undefined && meant.length > 0 && dice.chance(0.7)) return dice.pick(meant);
  if (/_after$|_before$|time|date/.test(name) && dice.chance(0.5))
    return new Date(Date.now() - dice.below(3e8)).toISOString();
  return dice.chance(0.2) ? knownValue(dice, world) : nastyText(dice);
}

/** Documents that grow, by depth, names or fragments. */
function bomb(dice: Dice): string {
  const size = dice.pick([10, 100, 1000, 5000]);
  return dice.weighted<() => string>([
    [1, () => `{ account ${'{ account '.repeat(size)} { key } ${'}'.repeat(size)} }`],
    [1, () => `{ ${Array.from({ length: size }, (_, index) => `a${index}: account { key }`).join(' ')} }`],
    [1, () => `{ account { ${'key '.repeat(size)} } }`],
    [1, () => doubling(Math.min(size, 30))],
    [1, () => `{ ${Array.from({ length: size }, (_, index) => `...A${index}`).join(' ')} }`],
    [1, () => `query (${Array.from({ length: size }, (_, index) => `$v${index}: Int`).join(' ')}) { account { key } }`],
    [1, () => `{ trips(vehicle_key: ${'['.repeat(size)}"x"${']'.repeat(size)}) { nodes { key } } }`],
    [1, () => `{ account ${'@skip(if: false) '.repeat(size)} { key } }`],
    [1, () => `{ __schema { types { ${'fields { type { '.repeat(9)} name ${'} }'.repeat(9)} } } }`],
    [1, () => `{ groups { ${'groups { '.repeat(size)} key ${'}'.repeat(size)} } }`],
  ])();
}

/** Fragments of which each has the next one twice. */
function doubling(depth: number): string {
  const fragments = Array.from({ length: depth }, (_, index) => {
    return `fragment F${index} on Account { ...F${index + 1} ...F${index + 1} }`;
  });
  return `{ account { ...F0 } } ${fragments.join(' ')} fragment F${depth} on Account { key }`;
}
