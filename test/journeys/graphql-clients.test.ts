import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';
import { beforeAll, expect, test } from 'vitest';

import { account, device } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { type HttpsFetch, httpsFetch } from '../clients/https-fetch.ts';
import { openHost } from '../services/open-host.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { listen } from '../services/test-host.ts';

useDatabase();

const DEVICES = `query Devices($first: Int, $after: String) {
  devices(first: $first, after: $after) {
    nodes { key serial subscription_status }
    page_info { end_cursor has_next_page }
  }
}`;

const CANCEL = `mutation Cancel($key: String!) {
  updateDevice(key: $key, subscription_status: "canceled") { key subscription_status }
}`;

interface Devices {
  readonly devices: {
    readonly nodes: readonly { key: string; serial: string; subscription_status: string }[];
    readonly page_info: { end_cursor: string | null; has_next_page: boolean };
  };
}

let uri: string;
let fetchOverTls: HttpsFetch;
beforeAll(async () => {
  const app = await openHost([await gatewayEndpoint()]);
  uri = `https://localhost:${await listen(app)}/graphql`;
  fetchOverTls = await httpsFetch();
});

function clientWith(headers: Record<string, string>): ApolloClient {
  const link = new HttpLink({ uri, headers, fetch: fetchOverTls as typeof fetch });
  return new ApolloClient({ cache: new InMemoryCache(), link });
}

test('Apollo Client pages through devices, changes one, and sees refusals by their code', async () => {
  const { key, headers } = await account();
  for (const serial of ['A', 'B', 'C']) await device(key, { serial });
  const client = clientWith(headers);

  const serials: string[] = [];
  let after: string | null = null;
  do {
    const answer: { data: Devices | undefined } = await client.query<Devices>({
      query: gql(DEVICES),
      variables: { first: 2, after },
    });
    serials.push(...(answer.data?.devices.nodes ?? []).map((node) => node.serial));
    after = answer.data?.devices.page_info.end_cursor ?? null;
  } while (after !== null);
  expect(serials).toEqual(['A', 'B', 'C']);

  const { data } = await client.query<Devices>({ query: gql(DEVICES) });
  const changed = await client.mutate({ mutation: gql(CANCEL), variables: { key: data?.devices.nodes[0]?.key } });
  expect(changed.data).toMatchObject({ updateDevice: { subscription_status: 'canceled' } });

  const refused = await client.mutate({ mutation: gql(CANCEL), variables: { key: 'absent' } }).catch((error) => error);
  expect(CombinedGraphQLErrors.is(refused) && refused.errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  const stranger = await clientWith({})
    .query({ query: gql(DEVICES) })
    .catch((error) => error);
  expect(CombinedGraphQLErrors.is(stranger) && stranger.errors[0]?.extensions).toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

test('a code generator makes types of the schema that compile and fit', async () => {
  const sdl = await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8');
  const types = await codegen({
    filename: 'types.ts',
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [{ document: parse(`${DEVICES}\n${CANCEL}`) }],
    plugins: [{ typescript: {} }, { operations: {} }],
    pluginMap: { typescript, operations },
    config: { strictScalars: true },
  });
  const folder = await temporaryFolder();
  const use = `import type { CancelMutationVariables, DevicesQuery } from './types.ts';
      export const variables: CancelMutationVariables = { key: 'k' };
      export const cursor = (answer: DevicesQuery): string | null | undefined => answer.devices.page_info.end_cursor;
      // @ts-expect-error the cursor is no number
      export const wrong = (answer: DevicesQuery): number => answer.devices.page_info.end_cursor;`;
  await writeFile(join(folder, 'types.ts'), types);
  await writeFile(join(folder, 'use.ts'), use);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    allowImportingTsExtensions: true,
    types: [],
    module: 'preserve',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
