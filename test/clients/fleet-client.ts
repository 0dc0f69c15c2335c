import type { FastifyInstance } from 'fastify';

import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { openHost } from '../hosts/open-host.ts';
import { gatewayEndpoint, ORIGIN } from './graphql-client.ts';
import { testService } from '../services/database.ts';

/** Request headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** The two endpoints of the fleet API. */
export const ENDPOINTS = ['REST', 'GraphQL'] as const;

/** One of {@link ENDPOINTS}. */
export type EndpointName = (typeof ENDPOINTS)[number];

/** Outcome of a change: `OK`, or the code of the error. */
export interface Outcome {
  readonly code: string;
  readonly message: string | undefined;
  /** The record that was answered; empty after an error. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** A change in the words of both endpoints. */
export interface Change {
  /** Method and path of REST. */
  readonly row: readonly [method: 'POST' | 'DELETE', path: string];
  readonly body?: Readonly<Record<string, unknown>>;
  /** Name and arguments of the mutation, with the fields of its answer. */
  readonly mutation: string;
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  readonly fields: string;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
};

/** A client of the account API and the gateway of one host, without sockets. */
export class FleetClient {
  private constructor(private readonly host: FastifyInstance) {}

  static async open(): Promise<FleetClient> {
    const account = await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN));
    return new FleetClient(await openHost([account, await gatewayEndpoint()]));
  }

  close(): Promise<void> {
    return this.host.close();
  }

  /** Sends a change through a endpoint. */
  send(endpoint: EndpointName, change: Change, headers: Headers): Promise<Outcome> {
    return endpoint === 'REST' ? this.#rest(change, headers) : this.#graphql(change, headers);
  }

  /** Reads a path of REST. */
  async get(path: string, headers: Headers): Promise<{ readonly status: number; readonly body: string }> {
    const { statusCode, body } = await this.host.inject({
      url: `/api/v2${path}`,
      headers: { host: 'localhost', ...headers },
    });
    return { status: statusCode, body };
  }

  async #rest({ row: [method, path], body }: Change, headers: Headers): Promise<Outcome> {
    const response = await this.host.inject({
      method,
      url: `/api/v2${path}`,
      headers: { host: 'localhost', ...headers },
      ...(method === 'POST' && { payload: body ?? {} }),
    });
    const read = response.body === '' ? {} : response.json();
    if (response.statusCode < 300) return { code: 'OK', message: undefined, record: read };
    return { code: CODES[response.statusCode] ?? String(response.statusCode), message: read.errors, record: {} };
  }

  async #graphql({ mutation, args, fields }: Change, headers: Headers): Promise<Outcome> {
    const names = Object.entries(args);
    const declared = names.map(([name, [type]]) => `$${name}: ${type}`).join(', ');
    const given = names.map(([name]) => `${name}: $${name}`).join(', ');
    const query = `mutation(${declared}) { ${mutation}(${given}) { ${fields} } }`;
    const variables = Object.fromEntries(names.map(([name, [, value]]) => [name, value]));
    const payload = { query, variables };
    const sent = { host: 'localhost', ...headers };
    const { data, errors } = (
      await this.host.inject({ method: 'POST', url: '/graphql', headers: sent, payload })
    ).json();
    if (errors) return { code: errors[0].extensions.code, message: errors[0].message, record: {} };
    return { code: 'OK', message: undefined, record: data[mutation] };
  }
}

const USER = 'key email account_role group_keys disabled';

/** Adding a user. */
export function userCreation(input: Readonly<Record<string, unknown>>): Change {
  return {
    row: ['POST', '/users'],
    body: input,
    mutation: 'createUser',
    args: { input: ['UserInput!', input] },
    fields: `${USER} invitation_url`,
  };
}

/** Changing a user. */
export function userChange(key: string, input: Readonly<Record<string, unknown>>): Change {
  return {
    row: ['POST', `/user/${key}`],
    body: input,
    mutation: 'updateUser',
    args: { key: ['String!', key], input: ['UserInput!', input] },
    fields: USER,
  };
}

/** Deleting a user. */
export function userDeletion(key: string): Change {
  const args = { key: ['String!', key] as const };
  return { row: ['DELETE', `/user/${key}`], mutation: 'deleteUser', args, fields: 'key deleted' };
}

/** Bringing a deleted user back. */
export function userRestoration(key: string): Change {
  const args = { key: ['String!', key] as const };
  return { row: ['POST', `/user/${key}/restore`], mutation: 'restoreUser', args, fields: USER };
}

/** Inviting a user again. */
export function userInvitation(key: string): Change {
  const args = { key: ['String!', key] as const };
  return { row: ['POST', `/user/${key}/invite`], mutation: 'inviteUser', args, fields: `${USER} invitation_url` };
}
