import type { FastifyInstance } from 'fastify';
import mercurius from 'mercurius';

import { demandOwner } from './contender-host.ts';
import type { ContenderRecords } from './contender-records.ts';

const SCHEMA = `
  type Device {
    key: String! serial: String! status: String! vehicle_key: String is_connected: Boolean!
    disconnected_timestamp: String last_transmission: String
  }
  type PageInfo { has_next_page: Boolean! }
  type DeviceConnection { nodes: [Device!]! page_info: PageInfo! }
  type MemberCounts { car: Int! user: Int! }
  type Group {
    key: String! name: String! active: Boolean! children: [Group!]! member_counts: MemberCounts! tree_depth: Int!
    created: String! updated: String!
  }
  type Query {
    device(key: String!): Device
    devices(first: Int = 50, after: String): DeviceConnection!
    groups: [Group!]!
  }
`;

declare module 'mercurius' {
  interface MercuriusContext {
    readonly account_key: string;
  }
}

/** Adds GraphQL by Mercurius, whose operations are compiled when they come the first time, over the same look-ups. */
export async function addGraphqlContender(app: FastifyInstance, records: ContenderRecords): Promise<void> {
  await app.register(async (scope) => {
    demandOwner(scope, records);
    await scope.register(mercurius, {
      schema: SCHEMA,
      jit: 1,
      context: ({ owner }) => ({ account_key: owner?.account_key ?? '' }),
      resolvers: {
        Query: {
          device: async (_: unknown, { key }: { readonly key: string }, { account_key }) => {
            const device = await records.device(account_key, key);
            if (!device) throw new mercurius.ErrorWithProps('No such device', { code: 'NOT_FOUND' });
            return device;
          },
          devices: async (_: unknown, { first, after }: { first: number; after?: string }, { account_key }) => {
            const page = await records.devices(account_key, first, after);
            if (!page) throw new mercurius.ErrorWithProps('cursor was not returned by this list');
            const page_info = { has_next_page: page.cursor !== null };
            return { nodes: page.devices, page_info };
          },
          groups: (_: unknown, _args: unknown, { account_key }) => records.groups(account_key),
        },
      },
    });
  });
}
