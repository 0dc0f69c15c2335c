import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import relay, { type ConcreteRequest, type GraphQLResponse, type ReaderFragment, type Variables } from 'relay-runtime';
import { expect, test } from 'vitest';

import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { httpsFetch } from '../clients/https-fetch.ts';
import { account } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { listen } from '../hosts/test-host.ts';

useDatabase();

/** Relay's compiler, a program of 120 MB that the variable names where it is installed: `…/relay-compiler/cli.js`. */
const { RELAY_COMPILER } = process.env;

/** Names of the fields of lists, as Relay's runtime has them. */
const CONNECTION = {
  EDGES: 'edges',
  CURSOR: 'cursor',
  NODE: 'node',
  PAGE_INFO: 'page_info',
  PAGE_INFO_TYPE: 'PageInfo',
  END_CURSOR: 'end_cursor',
  HAS_NEXT_PAGE: 'has_next_page',
  START_CURSOR: 'start_cursor',
  HAS_PREV_PAGE: 'has_previous_page',
};

const CONFIG = {
  src: './src',
  schema: './schema.graphql',
  language: 'javascript',
  eagerEsModules: false,
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
const UPDATE = 'mutation ($key: String!, $input: VehicleInput!) { updateVehicle(key: $key, input: $input) { key } }';

/** File with what Relay's compiler makes of the component, by the names of operations and fragments. */
const ARTIFACTS = join(import.meta.dirname, '../fixtures/relay-artifacts.json');

interface Artifacts {
  readonly VehiclesQuery: ConcreteRequest;
  readonly VehiclesPageQuery: ConcreteRequest;
  readonly VehicleRowQuery: ConcreteRequest;
  readonly Vehicles_list: ReaderFragment;
  readonly Vehicles_row: ReaderFragment;
}

const NAMES = ['VehiclesQuery', 'VehiclesPageQuery', 'VehicleRowQuery', 'Vehicles_list', 'Vehicles_row'] as const;

/** Compiles the component; returns the artifacts as JSON. */
async function compiled(compiler: string): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'package.json'), '{}');
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(CONFIG));
  await writeFile(join(folder, 'src/Vehicles.js'), COMPONENT);
  await copyFile(join(import.meta.dirname, '../../schema.graphql'), join(folder, 'schema.graphql'));
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });
  await run(compiler, 'relay.config.json');
  return (await run('-e', PRINT)).stdout;
}

/** Program that prints the artifacts; the operation of a refetchable fragment is an artifact of its own. */
const PRINT = `
  const load = (name) => require('./src/__generated__/' + name + '.graphql.js');
  const artifacts = Object.fromEntries(${JSON.stringify(NAMES)}.map((name) => [name, load(name)]));
  console.log(JSON.stringify(artifacts, (name, value) => (name === 'operation' && value.params ? undefined : value), 2));
`;

test("Relay's compiler takes connections and refetchable fragments", async (context) => {
  if (!RELAY_COMPILER) return context.skip('RELAY_COMPILER may name the program of an installed relay-compiler');
  await expect(await compiled(RELAY_COMPILER)).toMatchFileSnapshot(ARTIFACTS);
});

interface List {
  readonly vehicles: {
    readonly edges: readonly { readonly node: { readonly nickname: string; readonly __id: string } }[];
    readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
  };
}

test("Relay's store pages through a connection, and shows a vehicle that is fetched again wherever it is", async () => {
  const artifacts = JSON.parse(await readFile(ARTIFACTS, 'utf8')) as Artifacts;
  const url = `https://localhost:${await listen(await openHost([await gatewayEndpoint()]))}/graphql`;
  const fetchOverTls = await httpsFetch();
  const headers = { ...(await account()).headers, 'content-type': 'application/json' };
  const send = async (query: string | null | undefined, variables: Variables) => {
    const body = JSON.stringify({ query, variables });
    return (await fetchOverTls(url, { method: 'POST', headers, body })).json() as Promise<GraphQLResponse>;
  };
  const keys: string[] = [];
  for (const nickname of ['Van 1', 'Van 2', 'Van 3']) {
    const made = (await send(CREATE, { input: { nickname } })) as { readonly data: { createVehicle: { key: string } } };
    keys.push(made.data.createVehicle.key);
  }

  relay.ConnectionInterface.inject(CONNECTION);
  const environment = new relay.Environment({
    network: relay.Network.create(({ text }, variables) => send(text, variables)),
    store: new relay.Store(new relay.RecordSource()),
  });
  const ask = (request: ConcreteRequest, variables: Variables) =>
    relay.fetchQuery(environment, request, variables).toPromise();
  const first = relay.createOperationDescriptor(artifacts.VehiclesQuery, {});
  environment.retain(first);
  const list = () => {
    const root = environment.lookup(first.fragment).data as never;
    const selector = relay.getSingularSelector(artifacts.Vehicles_list, root);
    if (!selector) throw new Error('The query has no fragment of the list');
    const { vehicles } = environment.lookup(selector).data as unknown as List;
    return { ...vehicles, nicknames: vehicles.edges.map(({ node }) => nicknameOf(node as never)) };
  };
  const nicknameOf = (node: never) => {
    const selector = relay.getSingularSelector(artifacts.Vehicles_row, node);
    return selector && (environment.lookup(selector).data as { readonly nickname?: string } | null)?.nickname;
  };

  await ask(artifacts.VehiclesQuery, {});
  expect(list()).toMatchObject({ nicknames: ['Van 1', 'Van 2'], page_info: { has_next_page: true } });
  await ask(artifacts.VehiclesPageQuery, { first: 2, after: list().page_info.end_cursor });
  expect(list()).toMatchObject({
    nicknames: ['Van 1', 'Van 2', 'Van 3'],
    page_info: { has_next_page: false },
  });

  await send(UPDATE, { key: keys[2], input: { nickname: 'Lorry' } });
  await ask(artifacts.VehicleRowQuery, { id: list().edges[2]?.node.__id });
  expect(list().nicknames).toEqual(['Van 1', 'Van 2', 'Lorry']);
  await send(UPDATE, { key: keys[0], input: { nickname: 'Bus' } });
  await ask(artifacts.VehiclesPageQuery, { first: 2, after: null });
  expect(list().nicknames).toEqual(['Bus', 'Van 2']);
});
