import 'reflect-metadata';

import fc from 'fast-check';
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLInt,
  type GraphQLInterfaceType,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';

import type { RequestContext } from '../../../auth/caller.ts';
import { accountRoutes } from '../../../rest-bridge/account-routes.ts';
import { sofaOperations } from '../../../rest-bridge/sofa-operations.ts';
import { planOperation } from '../../../graphql/execution/plan-operation.ts';
import { stringifyInSlices } from '../../../graphql/execution/stringify-in-slices.ts';
import { gatewaySchema, restSchema } from '../../../resolvers/gateway-schema.ts';
import { isRelation } from '../../fixtures/select-all-fields.ts';
import { runSize } from '../../services/run-size.ts';
import { testService } from '../../services/database.ts';

/** Numbers from 0 to 1, the same for the same seed. */
type Random = () => number;

/** Data that comes late, or faulty data; of both at a time, which of two errors ends a list is a matter of time. */
interface Data {
  readonly random: Random;
  readonly isLate: boolean;
}

/** A generator by the linear congruential method, enough for test data; seeds that are near each other begin far apart. */
function randomFrom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The value, or at times a promise of it. */
function late(value: unknown, { random, isLate }: Data): unknown {
  return isLate && random() < 0.1 ? Promise.resolve(value) : value;
}

/** A value for a field, at times one that it may not have. */
function generate(type: GraphQLOutputType, data: Data, depth = 0): unknown {
  const { random, isLate } = data;
  const chance = random();
  if (chance < 0.01 && !isLate) return new Error('refused');
  if (isNonNullType(type)) return chance < 0.02 && !isLate ? null : generate(type.ofType, data, depth);
  if (chance < 0.1 && !isLate) return null;
  if (isListType(type)) {
    const length = depth > 3 ? 0 : Math.floor(random() * 4);
    return Array.from({ length }, () => late(generate(type.ofType, data, depth), data));
  }
  if (isInterfaceType(type)) {
    const possible = type.extensions.possible as readonly GraphQLObjectType[];
    const chosen = possible[Math.floor(chance * possible.length)] as GraphQLObjectType;
    return Object.assign(recordOf(chosen, data, depth), { __typename: chosen.name });
  }
  if (isObjectType(type)) return recordOf(type, data, depth);
  if (isEnumType(type)) return type.getValues()[Math.floor(chance * type.getValues().length)]?.value;
  const scalars: Record<string, unknown> = {
    ...{ Int: Math.floor(chance * 1000), Float: chance, Boolean: chance < 0.5 },
    ...{ DateTime: new Date(chance * 2e12), SpacedDateTime: new Date(chance * 2e12) },
  };
  return scalars[String(type)] ?? `text ${chance}`;
}

/** A record whose fields are generated when they are read, always the same: most of them, with all that is in them, are not. */
function recordOf(type: GraphQLObjectType, { random, isLate }: Data, depth: number): object {
  const record = {};
  for (const field of Object.values(type.getFields()).filter(({ args }) => args.length === 0)) {
    const seed = random() * 2 ** 32;
    const get = () => {
      const data = { random: randomFrom(seed), isLate };
      return late(generate(field.type, data, depth + 1), data);
    };
    Object.defineProperty(record, field.name, { get });
  }
  return record;
}

/**
 * Fields of a schema with arguments, and all of its root, answer with generated data and note what they were asked; others
 * are read from it.
 */
function answerAtRandom(schema: GraphQLSchema): void {
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInterfaceType(type)) {
      Object.assign(type, { extensions: { possible: schema.getPossibleTypes(type) } });
      type.resolveType = ({ __typename }) => __typename;
    }
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const isRoot = roots.includes(type);
      if (isRoot || field.args.length > 0) answerFieldAtRandom(field, isRoot);
      else delete field.resolve;
    }
  }
}

/** Of an item before a faulty one, graphql-js leaves the promise unhandled: there faulty data comes immediately. */
function answerFieldAtRandom(field: GraphQLField<unknown, GeneratedContext>, isRoot: boolean): void {
  field.resolve = (_, args, { seed, asked }) => {
    asked.push(`${field.name} ${JSON.stringify(args)}`);
    const random = randomFrom(seed + field.name.length);
    const isLate = seed % 2 === 0;
    if (random() < 0.1 && !isLate) throw new Error('rejected');
    const value = generate(field.type, { random, isLate });
    return random() < 0.7 && (isLate || isRoot) ? Promise.resolve(value) : value;
  };
}

interface GeneratedContext extends RequestContext {
  readonly seed: number;
  readonly asked: string[];
}

function contextOf(seed: number): GeneratedContext {
  return { service: testService, caller: { kind: 'owner', account_key: 'account', plan: 'premium' }, seed, asked: [] };
}

/** Executes a document by both, and expects the same data, the same questions, and errors from both or neither. */
async function expectSame(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Record<string, unknown>,
  seed: number,
): Promise<void> {
  const run = planOperation(schema, document);
  const [interpreted, planned] = [contextOf(seed), contextOf(seed)];
  const expected = await execute({ schema, document, variableValues, contextValue: interpreted });
  const found = await run(variableValues, planned);
  expect(JSON.stringify(found.data)).toBe(JSON.stringify(expected.data));
  expect(errorsOf(found)).toEqual(errorsOf(expected));
  expect(planned.asked.toSorted()).toEqual(interpreted.asked.toSorted());
  const again = contextOf(seed);
  const written = await run(variableValues, again, undefined, { writesRecords: true });
  expect(await stringifyInSlices({ data: written.data })).toBe(JSON.stringify({ data: expected.data }));
  expect(errorsOf(written)).toEqual(errorsOf(expected));
  expect(new Set(again.asked)).toEqual(new Set(interpreted.asked));
}

/** Errors in any order: those that come late come in the order of their promises. */
function errorsOf({ errors = [] }: ExecutionResult): string[] {
  return errors.map((error) => JSON.stringify(error)).sort();
}

let rest: GraphQLSchema;
let gateway: GraphQLSchema;
let operations: Map<string, DocumentNode>;
beforeAll(async () => {
  rest = await restSchema();
  operations = await sofaOperations(rest, accountRoutes);
  gateway = await gatewaySchema();
  answerAtRandom(rest);
  answerAtRandom(gateway);
});

test.each(Object.keys(accountRoutes))('%s answers as graphql-js does', async (row) => {
  const document = operations.get(row);
  if (!document) throw new TypeError(`No operation for ${row}`);
  const [operation] = document.definitions;
  const names = operation?.kind === 'OperationDefinition' ? (operation.variableDefinitions ?? []) : [];
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = randomFrom(seed);
      const given = names.flatMap(({ variable, type }) => {
        if (type.kind !== 'NonNullType' && random() < 0.4) return [];
        const isNull = type.kind !== 'NonNullType' && random() < 0.2;
        return [[variable.name.value, isNull ? null : 'text'] as const];
      });
      await expectSame(rest, document, Object.fromEntries(given), seed);
    }),
    { numRuns: runSize(row.includes('group') ? 3 : 8, 400), endOnFailure: true },
  );
});

/** Writes operations of a schema with variables, aliases and fragments. */
class OperationWriter {
  readonly variables: Record<string, unknown> = {};
  readonly #declared: string[] = [];
  readonly #fragments: string[] = [];
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  write(schema: GraphQLSchema): string {
    const isMutation = this.#random() < 0.3;
    const root = isMutation ? schema.getMutationType() : schema.getQueryType();
    if (!root) throw new TypeError('The schema has no such operations');
    const set = this.#set(root, 0);
    const variables = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    return `${isMutation ? 'mutation' : 'query'} Made${variables} ${set} ${this.#fragments.join(' ')}`;
  }

  #set(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(
      (field) => depth < 4 || !isObjectType(getNamedType(field.type)),
    );
    const chosen = fields.filter((field) => this.#random() < (depth === 0 ? 0.15 : isRelation(field) ? 0.05 : 0.5));
    const selections = (chosen.length > 0 ? chosen : fields.slice(0, 1)).map((field) => this.#field(field, depth));
    if (selections.length === 0 || this.#random() < 0.2) selections.push('__typename');
    return `{ ${this.#wrapped(selections.join(' '), type)} }`;
  }

  #wrapped(selections: string, type: GraphQLObjectType): string {
    const chance = this.#random();
    if (chance < 0.15) return `... on ${type.name} { ${selections} }`;
    if (chance > 0.3) return selections;
    const name = `F${this.#count++}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${selections} }`);
    return `...${name}`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const alias = field.args.length > 0 || this.#random() < 0.2 ? `a${this.#count++}: ` : '';
    const args = field.args.flatMap((argument) => this.#argument(argument));
    const type = getNamedType(field.type);
    const set = isObjectType(type) ? this.#set(type, depth + 1) : isInterfaceType(type) ? this.#anyOf(type, depth) : '';
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${set}`;
  }

  #anyOf(type: GraphQLInterfaceType, depth: number): string {
    const possible = type.extensions.possible as readonly GraphQLObjectType[];
    const chosen = possible[Math.floor(this.#random() * possible.length)] as GraphQLObjectType;
    return `{ __typename id ... on ${chosen.name} ${this.#set(chosen, depth + 1)} }`;
  }

  #argument({ name, type }: GraphQLArgument): string[] {
    const isRequired = isNonNullType(type);
    if (!isRequired && this.#random() < 0.4) return [];
    const variable = `v${this.#count++}`;
    this.#declared.push(`$${variable}: ${String(type)}`);
    const given: Record<string, unknown> = { Int: 7, Float: 1.5, Boolean: true, DateTime: '2024-05-01T00:00:00Z' };
    const value = given[String(getNamedType(type))] ?? 'text';
    if (isRequired || this.#random() < 0.7) this.variables[variable] = value;
    else if (this.#random() < 0.5) this.variables[variable] = null;
    return [`${name}: $${variable}`];
  }
}

test('any operation with variables, aliases and fragments is answered as graphql-js does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const writer = new OperationWriter(randomFrom(seed));
      const document = parse(writer.write(gateway));
      expect(validate(gateway, document)).toEqual([]);
      await expectSame(gateway, document, writer.variables, seed);
    }),
    { numRuns: runSize(150, 5000), endOnFailure: true },
  );
});

test('conditions and names with two underscores are read as graphql-js reads them', async () => {
  const document = parse(
    'query Q($no: Boolean!) { devices { __proto__: nodes { key ...F @skip(if: $no) } nodes { ...F } } } fragment F on Device { serial }',
  );
  const run = planOperation(rest, document);
  for (const no of [true, false, true]) {
    const expected = await execute({
      schema: rest,
      document,
      variableValues: { no },
      contextValue: contextOf(5),
    });
    expect(JSON.stringify(await run({ no }, contextOf(5)))).toBe(JSON.stringify(expected));
  }
});

test('variables that do not fit are rejected in the words of graphql-js', async () => {
  const document = parse('query Q($key: String!) { device(key: $key) { key } }');
  const run = planOperation(rest, document);
  for (const variables of [{}, {}, { key: null }, { key: 5 }, { key: ['a'] }]) {
    const context = contextOf(1);
    const expected = await execute({ schema: rest, document, variableValues: variables, contextValue: context });
    expect(JSON.stringify(await run(variables, context))).toBe(JSON.stringify(expected));
    expect(context.asked).toEqual([]);
  }
});

test('of variables that do not fit, no more is read than graphql-js names', async () => {
  let read = 0;
  const Even = new GraphQLScalarType({
    name: 'Even',
    parseValue: (value) => {
      read++;
      throw new TypeError(`${String(value)} is odd`);
    },
  });
  const args = { of: { type: new GraphQLList(Even) } };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { sum: { type: GraphQLInt, args } } }),
  });
  const document = parse('query ($of: [Even]) { sum(of: $of) }');
  const variableValues = { of: Array.from({ length: 1000 }, () => 1) };
  const expected = await execute({ schema, document, variableValues });
  const readByGraphql = read;
  read = 0;
  expect(JSON.stringify(await planOperation(schema, document)(variableValues, {}))).toBe(JSON.stringify(expected));
  expect(read).toBeLessThan(2 * readByGraphql);
});
