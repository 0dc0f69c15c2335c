import { buildSchema, isObjectType, printSchema, validateSchema } from 'graphql';
import { expect, test } from 'vitest';

import { accessOf } from '../../auth/access.ts';
import { gatewaySchema, restSchema, tokenSchema } from '../../resolvers/gateway-schema.ts';

test('the schema is the one in schema.graphql', async () => {
  await expect(`${printSchema(await gatewaySchema())}\n`).toMatchFileSnapshot('../../schema.graphql');
});

test.each([
  ['gateway', gatewaySchema],
  ['REST', restSchema],
  ['token endpoint', tokenSchema],
] as const)('the schema of the %s is valid', async (_, schema) => {
  expect(validateSchema(await schema())).toEqual([]);
});

test('no record takes the name of a root type, and the printed schema names its root types', async () => {
  const schema = await gatewaySchema();
  expect(printSchema(schema)).toContain(
    'schema {\n  query: Query\n  mutation: Mutation\n  subscription: Subscription\n}',
  );
  expect(buildSchema(printSchema(schema)).getSubscriptionType()?.name).toBe('Subscription');
  expect((await restSchema()).getType('Subscription')).toBeUndefined();
});

test('every root field says who may use it', async () => {
  const schema = await gatewaySchema();
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      expect([field.name, accessOf(field)]).toEqual([field.name, expect.arrayContaining([expect.any(String)])]);
    }
  }
});

test('every type, field and argument is described', async () => {
  const schema = await gatewaySchema();
  const bare: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !isObjectType(type)) continue;
    if (!type.description && !['Query', 'Mutation', 'Subscription'].includes(type.name)) bare.push(type.name);
    for (const field of Object.values(type.getFields())) {
      if (!field.description) bare.push(`${type.name}.${field.name}`);
      for (const argument of field.args) {
        if (!argument.description) bare.push(`${type.name}.${field.name}(${argument.name})`);
      }
    }
  }
  expect(bare).toEqual([]);
});
