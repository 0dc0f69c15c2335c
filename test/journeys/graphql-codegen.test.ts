import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';

import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { httpsFetch } from '../clients/https-fetch.ts';
import { account } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { listen } from '../hosts/test-host.ts';
import { TypescriptFolder } from '../processes/typescript-folder.ts';

useDatabase();

const VEHICLES = `query Vehicles($first: Int, $after: String) {
  vehicles(first: $first, after: $after) { nodes { key nickname } page_info { end_cursor has_next_page } }
}`;

const CREATE_VEHICLE = `mutation CreateVehicle($input: VehicleInput!) {
  createVehicle(input: $input) { key nickname }
}`;

const SESSION = `import { graphql } from './gql.ts';
  import type { TypedDocumentString, VehiclesQuery } from './graphql.ts';

  const vehicles = graphql(\`${VEHICLES}\`);
  const createVehicle = graphql(\`${CREATE_VEHICLE}\`);

  type Send = (body: string) => Promise<{ data?: unknown; errors?: readonly { extensions: { code: string } }[] }>;

  async function execute<Data, Variables>(send: Send, query: TypedDocumentString<Data, Variables>, variables: Variables) {
    const { data, errors } = await send(JSON.stringify({ query, variables }));
    return { data: data as Data | undefined, code: errors?.[0]?.extensions.code };
  }

  export async function session(send: Send) {
    for (const nickname of ['Van 1', 'Van 2', 'Van 3']) await execute(send, createVehicle, { input: { nickname } });
    const pages: (string | null | undefined)[][] = [];
    let after: string | null | undefined = null;
    do {
      const { data }: { data: VehiclesQuery | undefined } = await execute(send, vehicles, { first: 2, after });
      pages.push(data?.vehicles.nodes.map(({ nickname }) => nickname) ?? []);
      after = data?.vehicles.page_info.has_next_page ? data.vehicles.page_info.end_cursor : null;
    } while (after);
    const { code } = await execute(send, createVehicle, { input: { year: 1066 } });
    return { pages, code };
  }

  export function mistakes(send: Send) {
    // @ts-expect-error the year is a number
    void execute(send, createVehicle, { input: { year: '2024' } });
    // @ts-expect-error the vehicle was selected without its year
    void execute(send, vehicles, {}).then(({ data }) => data?.vehicles.nodes[0]?.year);
  }`;

interface Session {
  readonly session: (send: (body: string) => Promise<unknown>) => Promise<unknown>;
}

test("documents of codegen's client preset compile and run", async () => {
  const folder = await TypescriptFolder.with({ 'session.ts': SESSION });
  const sdl = await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8');
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: './',
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [VEHICLES, CREATE_VEHICLE].map((rawSDL) => ({
      location: 'session.ts',
      rawSDL,
      document: parse(rawSDL),
    })),
    config: { documentMode: 'string', useTypeImports: true, importExtension: '.ts' },
    presetConfig: { fragmentMasking: false },
    ...{ plugins: [], pluginMap: {} },
  });
  for (const output of outputs) await folder.write(basename(output.filename), await codegen(output));
  expect(await folder.compile('session.ts')).toBe('');

  const app = await openHost([await gatewayEndpoint()]);
  const url = `https://localhost:${await listen(app)}/graphql`;
  const fetchOverTls = await httpsFetch();
  const { headers: credentials } = await account();
  const headers = { ...credentials, 'content-type': 'application/json' };
  const { session } = await folder.load<Session>('session.ts');
  const outcome = await session(async (body) => (await fetchOverTls(url, { method: 'POST', headers, body })).json());
  await app.close();
  expect(outcome).toEqual({ pages: [['Van 1', 'Van 2'], ['Van 3']], code: 'BAD_REQUEST' });
});
