import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { httpsFetch } from '../clients/https-fetch.ts';
import { account } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { openHost } from '../services/open-host.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { listen } from '../services/test-host.ts';

useDatabase();

/** Relay's compiler, a program of 120 MB that the variable names where it is installed: `…/relay-compiler/cli.js`. */
const { RELAY_COMPILER } = process.env;

const CONFIG = {
  src: './src',
  schema: './schema.graphql',
  language: 'javascript',
  schemaConfig: {
    connectionInterface: {
      edges: 'edges',
      cursor: 'cursor',
      node: 'node',
      pageInfo: 'page_info',
      endCursor: 'end_cursor',
      hasNextPage: 'has_next_page',
      startCursor: 'start_cursor',
      hasPreviousPage: 'has_previous_page',
    },
  },
};

const COMPONENT = `
graphql\`query VehiclesQuery { ...Vehicles_list }\`;
graphql\`
  fragment Vehicles_list on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
  @refetchable(queryName: "VehiclesPageQuery") {
    vehicles(first: $first, after: $after) @connection(key: "Vehicles_vehicles") {
      edges { node { nickname ...Vehicles_row } }
    }
  }\`;
graphql\`fragment Vehicles_row on Vehicle @refetchable(queryName: "VehicleRowQuery") { nickname plate_number }\`;
`;

const CREATE = 'mutation ($input: VehicleInput!) { createVehicle(input: $input) { key } }';

/** Compiles the component; returns the text of a query as Relay sends it. */
async function compiled(compiler: string): Promise<(query: string) => Promise<string>> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(CONFIG));
  await writeFile(join(folder, 'src/Vehicles.js'), COMPONENT);
  await copyFile(join(import.meta.dirname, '../../schema.graphql'), join(folder, 'schema.graphql'));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  return async (query) => {
    const artifact = await readFile(join(folder, `src/__generated__/${query}.graphql.js`), 'utf8');
    const [, text = 'null'] = /^ *"text": (".*")$/m.exec(artifact) ?? [];
    return JSON.parse(text) as string;
  };
}

interface Vehicles {
  readonly edges: readonly { readonly node: { readonly id: string; readonly nickname: string } }[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

test("Relay's compiler takes connections and refetchable fragments, whose queries page and refetch", async (context) => {
  if (!RELAY_COMPILER) return context.skip('RELAY_COMPILER may name the program of an installed relay-compiler');
  const textOf = await compiled(RELAY_COMPILER);
  const url = `https://localhost:${await listen(await openHost([await gatewayEndpoint()]))}/graphql`;
  const fetchOverTls = await httpsFetch();
  const headers = { ...(await account()).headers, 'content-type': 'application/json' };
  const send = async (query: string, variables: object) => {
    const body = JSON.stringify({ query, variables });
    return (await fetchOverTls(url, { method: 'POST', headers, body })).json() as Promise<{ readonly data: unknown }>;
  };
  const ask = async (name: string, variables: object) => send(await textOf(name), variables);
  const page = async (name: string, variables: object) => {
    const { vehicles } = (await ask(name, variables)).data as { readonly vehicles: Vehicles };
    return { ...vehicles, nicknames: vehicles.edges.map(({ node }) => node.nickname) };
  };

  for (const nickname of ['Van 1', 'Van 2', 'Van 3']) await send(CREATE, { input: { nickname } });
  const first = await page('VehiclesQuery', {});
  const second = await page('VehiclesPageQuery', { first: 2, after: first.page_info.end_cursor });
  expect([first.nicknames, second.nicknames]).toEqual([['Van 1', 'Van 2'], ['Van 3']]);
  expect(second.page_info).toEqual({ end_cursor: null, has_next_page: false });
  const { id } = first.edges[0]?.node ?? {};
  expect((await ask('VehicleRowQuery', { id })).data).toMatchObject({ node: { id, nickname: 'Van 1' } });
});
