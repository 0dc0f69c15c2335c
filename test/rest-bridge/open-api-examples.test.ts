import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import { AccountClient } from '../clients/account-client.ts';
import {
  exampleOf,
  makeWorld,
  OPERATIONS,
  openApp,
  resolved,
  type Schema,
  send,
  type World,
} from '../clients/example-requests.ts';
import { useDatabase } from '../services/database.ts';

useDatabase();

let client: AccountClient;
beforeAll(async () => {
  const app = await openApp();
  client = await AccountClient.of(app);
  return () => app.close();
});

function mayBeNull({ type, anyOf }: Schema): boolean {
  return type?.includes('null') === true || anyOf?.some((one) => one.type === 'null') === true;
}

test('every body and every parameter that is required has an example', () => {
  for (const { path, method, operation } of OPERATIONS) {
    const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
    const missing = required.filter(({ example }) => example === undefined).map(({ name }) => name);
    expect([method, path, missing]).toEqual([method, path, []]);
    expect(operation.requestBody === undefined || exampleOf(operation) !== undefined).toBe(true);
  }
});

describe('null in a body', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(client);
  });

  const ofAccount = OPERATIONS.filter(({ operation }) => operation.security.some((schemes) => 'apiKey' in schemes));
  const members = ofAccount.flatMap((described) => {
    const { schema = {} } = described.operation.requestBody?.content['application/json'] ?? {};
    return Object.entries(resolved(schema).properties ?? {}).map(
      ([name, property]) =>
        [`${described.method.toUpperCase()} ${described.path}: ${name}`, { ...described, name, property }] as const,
    );
  });

  test.each(members)(
    '%s is accepted where the description says so',
    async (_title, { name, property, ...described }) => {
      const body = { ...(exampleOf(described.operation) as object), ...uniqueFields(described.path) };
      const { statusCode } = await send(world, described, { ...body, [name]: null });
      if (mayBeNull(property) && statusCode === 400) {
        expect((await send(world, described, { ...body, [name]: undefined })).statusCode).toBe(400);
      } else {
        expect(statusCode < 300).toBe(mayBeNull(property));
      }
    },
  );

  /** Fields of records of which there may be one. */
  function uniqueFields(path: string): object {
    if (path === '/devices') return { serial: randomUUID() };
    return path.startsWith('/user') ? { email: `${randomUUID()}@bakery.example` } : {};
  }
});

describe('an example of the description is a request that succeeds as described', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(client);
  });

  test.each(OPERATIONS.map((described) => [`${described.method.toUpperCase()} ${described.path}`, described] as const))(
    '%s',
    async (_title, described) => {
      const { statusCode, body } = await send(world, described);
      const [success] = Object.keys(described.operation.responses);
      expect([String(statusCode), body]).toEqual([success, body]);
    },
  );
});
