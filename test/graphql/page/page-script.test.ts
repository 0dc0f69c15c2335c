import { graphqlSync, parse, validate } from 'graphql';
import { expect, test } from 'vitest';

import { draftOperation } from '../../../graphql/page/page-script.ts';
import { INTROSPECTION, type SchemaDescription } from '../../../graphql/page/introspection.ts';
import { tinySchema } from '../../hosts/graphql-host.ts';

const schema = tinySchema();
const { __schema } = graphqlSync({ schema, source: INTROSPECTION }).data as unknown as { __schema: SchemaDescription };

test.each([
  ['query', 'Query'],
  ['mutation', 'Mutation'],
] as const)('drafts a valid operation for every field of the %s', (operation, type) => {
  const fields = __schema.types.find(({ name }) => name === type)?.fields ?? [];
  expect(fields.length).toBeGreaterThan(0);
  for (const field of fields) {
    const { query } = draftOperation(operation, field, __schema.types);
    expect(validate(schema, parse(query))).toEqual([]);
  }
});

test('selects what can be shown without arguments, as deep as it is asked for', () => {
  const field = __schema.types.find(({ name }) => name === 'Query')?.fields?.find(({ name }) => name === 'node');
  expect(field && draftOperation('query', field, __schema.types)).toEqual({
    query:
      'query {\n  node {\n    name\n    below {\n      name\n      below {\n        name\n      }\n    }\n  }\n}\n',
    variables: '',
  });
});
