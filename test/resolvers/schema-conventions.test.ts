import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';

import { ONE_WAY } from '../../resolvers/relations/backward-pages.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await gatewaySchema();
});

const DATE_TIMES = ['DateTime', 'SpacedDateTime'];

/** Names of fields and arguments that are points in time. */
const NAMES_OF_TIMES =
  /^(.*_)?(timestamp|time|created|updated|started|ended|started_at|ends_at|(first|last)_received|last_used|revoked|last_transmission|after|before)$|^(arrival|departure)$/;

/** Exceptions: fields and arguments with such names, and the reason of each. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Place.from_time': 'a time of the day',
  'Place.to_time': 'a time of the day',
  'PlaceInput.from_time': 'a time of the day',
  'PlaceInput.to_time': 'a time of the day',
  'RecutResult.trips_after': 'a number of trips',
  'RecutResult.trips_before': 'a number of trips',
  'Trip.idle_time': 'a duration',
};

/** A field or an argument: `Trip.key`, `trips(first)`. */
interface Place {
  readonly place: string;
  readonly name: string;
  /** Name of its type, without lists and nullability. */
  readonly type: string;
  readonly description: string;
  readonly isDeprecated: boolean;
}

/** Every field and argument of the schema. */
function* places(): Generator<Place> {
  const placeOf = (place: string, field: GraphQLArgument | AnyField): Place => {
    const { name, type, description, deprecationReason } = field;
    const isDeprecated = Boolean(deprecationReason);
    return { place, name, type: getNamedType(type).name, description: description ?? '', isDeprecated };
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values<AnyField>(type.getFields())) {
      yield placeOf(`${type.name}.${field.name}`, field);
      for (const argument of 'args' in field ? field.args : []) {
        yield placeOf(`${field.name}(${argument.name})`, argument);
      }
    }
  }
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField;

test('what is a point in time has a scalar that says how it is written', () => {
  const others = [...places()].filter(({ name, type }) => {
    const isCursor = (name === 'after' || name === 'before') && type === 'String';
    return NAMES_OF_TIMES.test(name) && !isCursor && !DATE_TIMES.includes(type);
  });
  expect([...new Set(others.map(({ place }) => place))].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

/** Words of a closed list in a description: `one` or `another`. */
const CLOSED_LIST = /`[a-z_]+`[^`.;]{0,60}`[a-z_]+`/;

/** Texts whose descriptions name words, and the reason of each. */
const OPEN_LISTS: Readonly<Record<string, string>> = {
  'BillingInfo.billing_method': 'examples of what a payment service says',
};

test('a closed list is an enum, whose values are the words of the wire', () => {
  const texts = [...places()].filter(({ type, description }) => type === 'String' && CLOSED_LIST.test(description));
  expect(texts.map(({ place }) => place)).toEqual(Object.keys(OPEN_LISTS));
});

/** Lists without pages, and the reason of each. */
const WHOLE_LISTS: Readonly<Record<string, string>> = {
  groups: 'a tree',
  nearbyVehicles: 'the nearest ones, as many as asked for',
};

/** Members of lists about the whole list. */
const FURTHER_MEMBERS: Readonly<Record<string, readonly string[]>> = { ChangeConnection: ['kinds', 'whole_account'] };

test('a list has pages: nodes, edges and page_info', () => {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const whole = queries.filter(({ type }) => String(type).startsWith('['));
  expect(whole.map(({ name }) => name).toSorted()).toEqual(Object.keys(WHOLE_LISTS));
  const connections = Object.values(schema.getTypeMap()).filter(({ name }) => name.endsWith('Connection'));
  const members = ['nodes', 'page_info', 'edges', 'total_count'];
  for (const type of connections) {
    expect(fieldsOf(type)).toEqual([...members, ...(FURTHER_MEMBERS[type.name] ?? [])]);
    expect(fieldsOf(schema.getType(type.name.replace(/Connection$/, 'Edge')))).toEqual(['cursor', 'node']);
  }
});

test('a root field that finds an object is nullable, and so is a list of what belongs to one', () => {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const finding = queries.filter(({ type, args }) => {
    const isList = /^\[|Connection!?$/.test(String(type));
    return !isList || args.some((arg) => String(arg.type) === 'String!');
  });
  expect(finding.length).toBeGreaterThan(20);
  // The account of the caller is always there.
  expect(finding.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['account']);
});

test('a list is a connection as Relay has them, with the names of the wire', () => {
  expect(fieldsOf(schema.getType('PageInfo'))).toEqual([
    'end_cursor',
    'has_next_page',
    'start_cursor',
    'has_previous_page',
  ]);
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const lists = queries.filter(({ type }) => /Connection!?$/.test(String(type)));
  expect(lists.length).toBeGreaterThan(10);
  for (const { name, args } of lists) {
    const types = ['first', 'after', 'last', 'before'].map((argument) =>
      String(args.find((one) => one.name === argument)?.type),
    );
    const backward = name === ONE_WAY ? ['undefined', 'undefined'] : ['Int', 'String'];
    expect([name, types]).toEqual([name, ['Int', 'String', ...backward]]);
  }
});

test('an account leads to every list that needs no argument, but not to the log of changes', () => {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const lists = queries.filter(({ name, type, args }) => {
    const isList = /^\[|Connection!?$/.test(String(type));
    return isList && name !== 'changes' && name !== 'nearbyVehicles' && !args.some(isRequiredArgument);
  });
  const members = lists.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(fieldsOf(schema.getType('Account'))).toEqual(expect.arrayContaining(members));
});

test('root fields are in camel case, fields, arguments and members of inputs in snake case', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const names = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
  const current = names.filter(({ deprecationReason }) => !deprecationReason).map(({ name }) => name);
  for (const name of current) expect(name).toMatch(/^[a-z][a-zA-Z]*$/);
  for (const { place, name } of places()) {
    if (/^(?:Query|Mutation|Subscription)\./.test(place)) continue;
    expect([place, name]).toEqual([place, expect.stringMatching(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)]);
  }
});

/** Enums with other values, and the reason of each. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  RouteMethod: 'methods of HTTP',
  TagType: 'the words of REST',
};

test('types are in Pascal case, inputs are named as such or as changes, values of enums are in snake case', () => {
  for (const type of Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))) {
    expect(type.name).toMatch(/^([A-Z][a-z0-9]*)+$/);
    if (isInputObjectType(type)) expect(type.name).toMatch(/(Input|Change)$/);
    const values = isEnumType(type) && !Object.hasOwn(OTHER_VALUES, type.name) ? type.getValues() : [];
    for (const { name } of values)
      expect([type.name, name]).toEqual([type.name, expect.stringMatching(/^[a-z0-9_]+$/)]);
  }
});

/** Names of things, each with the names that they do not have. */
const SYNONYMS = {
  point: /^(?:lat|lon|long|latitude|longitude|position)$/,
  radius: /radius_/,
  bounding_box: /bbox/,
  secret: /_secret$|^(?:api_key|token_secret)$/,
};

test('a thing has one name in all types and arguments, apart from deprecated ones', () => {
  const others = [...places()].filter(({ place, name, isDeprecated }) => {
    const isPoint = place.startsWith('GeoPoint');
    return !isPoint && !isDeprecated && Object.values(SYNONYMS).some((other) => other.test(name));
  });
  expect(others.map(({ place }) => place)).toEqual([]);
});

function fieldsOf(type: GraphQLNamedType | undefined): string[] {
  return isObjectType(type) ? Object.keys(type.getFields()) : [];
}

test('a mutation has no more than two arguments: it takes the others as `input`', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(mutations.length).toBeGreaterThan(30);
  expect(mutations.filter(({ args }) => args.length > 2).map(({ name }) => name)).toEqual([]);
});

test('every scalar beyond those of GraphQL names its specification', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(scalars.map(({ name }) => name).toSorted()).toEqual(DATE_TIMES.toSorted());
  for (const scalar of scalars) expect(isScalarType(scalar) && scalar.specifiedByURL).toMatch(/^https:/);
});
