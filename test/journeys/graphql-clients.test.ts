import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { cacheExchange, createClient, fetchExchange } from '@urql/core';
import { beforeAll, expect, test } from 'vitest';

import { account, device } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { type HttpsFetch, httpsFetch } from '../clients/https-fetch.ts';
import { openHost } from '../hosts/open-host.ts';
import { runPython } from '../processes/python.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { listen, testCertificate } from '../hosts/test-host.ts';

useDatabase();

const DEVICES = `query Devices($first: Int, $after: String) {
  devices(first: $first, after: $after) {
    nodes { key serial subscription_status }
    page_info { end_cursor has_next_page }
  }
}`;

const CANCEL = `mutation Cancel($key: String!) {
  updateDevice(key: $key, input: { subscription_status: canceled }) { key subscription_status }
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

const VEHICLES = `query Vehicles($first: Int, $after: String) {
  vehicles(first: $first, after: $after) {
    nodes { id key nickname }
    page_info { end_cursor has_next_page }
  }
}`;

const VEHICLE = 'query Vehicle($key: String!) { vehicle(key: $key) { id key nickname } }';

const CREATE_VEHICLE = `mutation CreateVehicle($input: VehicleInput!) {
  createVehicle(input: $input) { id key nickname }
}`;

const UPDATE_VEHICLE = `mutation UpdateVehicle($key: String!, $input: VehicleInput!) {
  updateVehicle(key: $key, input: $input) { id key nickname }
}`;

interface Vehicle {
  readonly key: string;
  readonly nickname: string | null;
}

interface Vehicles {
  readonly vehicles: {
    readonly nodes: readonly Vehicle[];
    readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
  };
}

test("Apollo Client's cache has a vehicle once, however it was read, and shows its update in the list", async () => {
  const { headers } = await account();
  const link = new HttpLink({ uri, headers, fetch: fetchOverTls as typeof fetch });
  const cache = new InMemoryCache();
  const client = new ApolloClient({ cache, link });
  for (const nickname of ['Van 1', 'Van 2']) {
    await client.mutate({ mutation: gql(CREATE_VEHICLE), variables: { input: { nickname } } });
  }
  const { data } = await client.query<Vehicles>({ query: gql(VEHICLES) });
  const { key } = data?.vehicles.nodes[0] ?? {};
  await client.query({ query: gql(VEHICLE), variables: { key } });
  const vehicles = Object.keys(cache.extract()).filter((entry) => entry.startsWith('Vehicle:'));
  expect(vehicles).toHaveLength(2);

  await client.mutate({ mutation: gql(UPDATE_VEHICLE), variables: { key, input: { nickname: 'Lorry' } } });
  const cached = cache.readQuery<Vehicles>({ query: gql(VEHICLES) });
  expect(cached?.vehicles.nodes.map(({ nickname }) => nickname)).toEqual(['Lorry', 'Van 2']);
});

test('urql pages through vehicles, reads anew after a mutation, and sees errors by their code', async () => {
  const { headers } = await account();
  const client = createClient({
    url: uri,
    fetchOptions: { headers },
    fetch: fetchOverTls as typeof fetch,
    exchanges: [cacheExchange, fetchExchange],
  });
  for (const nickname of ['Van 1', 'Van 2', 'Van 3']) {
    const { error } = await client.mutation(CREATE_VEHICLE, { input: { nickname } });
    expect(error).toBeUndefined();
  }
  const page = async (after: string | null) => {
    const { data } = await client.query<Vehicles>(VEHICLES, { first: 2, after });
    const { end_cursor = null, has_next_page } = data?.vehicles.page_info ?? {};
    return { nodes: data?.vehicles.nodes ?? [], after: end_cursor, isLast: has_next_page === false };
  };
  const namesOn = ({ nodes }: { readonly nodes: readonly Vehicle[] }) => nodes.map(({ nickname }) => nickname);
  const first = await page(null);
  const second = await page(first.after);
  expect([namesOn(first), namesOn(second), second.isLast]).toEqual([['Van 1', 'Van 2'], ['Van 3'], true]);

  const { key } = first.nodes[0] ?? {};
  await client.mutation(UPDATE_VEHICLE, { key, input: { nickname: 'Lorry' } });
  expect(namesOn(await page(null))).toEqual(['Lorry', 'Van 2']);
  const { error } = await client.mutation(UPDATE_VEHICLE, { key: 'absent', input: { nickname: 'Bus' } });
  expect(error?.graphQLErrors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
});

const PYTHON_SESSION = `
import json, ssl, sys
from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.httpx import HTTPXTransport

url, api_key, ca_file, documents = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
tls = ssl.create_default_context(cafile=ca_file)
transport = HTTPXTransport(url=url, headers={"Service-Api-Key": api_key}, verify=tls)
vehicles, create, update = (gql(document) for document in documents)


def send(session, document, **variables):
    document.variable_values = variables
    return session.execute(document)


with Client(transport=transport, fetch_schema_from_transport=True) as session:
    for nickname in ["Van 1", "Van 2", "Van 3"]:
        key = send(session, create, input={"nickname": nickname})["createVehicle"]["key"]
    pages, after = [], None
    while True:
        page = send(session, vehicles, first=2, after=after)["vehicles"]
        pages.append([node["nickname"] for node in page["nodes"]])
        after = page["page_info"]["end_cursor"]
        if not page["page_info"]["has_next_page"]:
            break
    updated = send(session, update, key=key, input={"nickname": "Lorry"})["updateVehicle"]
    try:
        send(session, update, key="absent", input={})
    except TransportQueryError as error:
        code = error.errors[0]["extensions"]["code"]
print(json.dumps({"pages": pages, "updated": updated["nickname"], "code": code}))
`;

test('gql for Python checks its documents against the schema, pages and changes, where Python has it', async (context) => {
  const { api_key } = await account();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'session.py'), PYTHON_SESSION);
  await writeFile(join(folder, 'ca.pem'), (await testCertificate()).ca);
  const documents = JSON.stringify([VEHICLES, CREATE_VEHICLE, UPDATE_VEHICLE]);
  const printed = await runPython(context, 'gql', ['session.py', uri, api_key, 'ca.pem', documents], folder);
  expect(JSON.parse(printed)).toEqual({
    pages: [['Van 1', 'Van 2'], ['Van 3']],
    updated: 'Lorry',
    code: 'NOT_FOUND',
  });
});
