import {
  getNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';

import { gatewaySchema } from '../../resolvers/gateway-schema.ts';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await gatewaySchema();
});

const DATE_TIMES = ['DateTime', 'SpacedDateTime', 'ISO8601DateTime'];

/** Names of fields and arguments that are points in time. */
const NAMES_OF_TIMES =
  /^(.*_)?(timestamp|time|created|updated|started|ended|started_at|ends_at|last_used|revoked|last_transmission|after|before)$|^(arrival|departure)$/;

/** Exceptions: fields and arguments with such names, and the reason of each. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Place.from_time': 'a time of the day',
  'Place.to_time': 'a time of the day',
  'PlaceInput.from_time': 'a time of the day',
  'PlaceInput.to_time': 'a time of the day',
  'Trip.idle_time': 'a duration',
  'trips(started_after)': 'saved trip maps send a String',
  'trips(started_before)': 'saved trip maps send a String',
};

test('what is a point in time has a scalar that says how it is written', () => {
  const others: string[] = [];
  const check = (place: string, name: string, type: string) => {
    const isCursor = name === 'after' && type === 'String';
    if (NAMES_OF_TIMES.test(name) && !isCursor && !DATE_TIMES.includes(type)) others.push(place);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field.name, String(getNamedType(field.type)));
      for (const argument of 'args' in field ? field.args : []) {
        check(`${field.name}(${argument.name})`, argument.name, String(getNamedType(argument.type)));
      }
    }
  }
  expect(others.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

test('every scalar beyond those of GraphQL names its specification', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(scalars.map(({ name }) => name).toSorted()).toEqual(DATE_TIMES.toSorted());
  for (const scalar of scalars) expect(isScalarType(scalar) && scalar.specifiedByURL).toMatch(/^https:/);
});
