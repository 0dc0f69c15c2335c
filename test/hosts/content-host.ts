import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';

import { ROLES, type Role } from '../../content/access/capabilities.ts';
import { mediaStorage } from '../../content/media/storage/media-storage.ts';
import { addWebsiteUser } from '../../content/users/manage-website-user.ts';
import { contentEndpoint } from '../../content/rest/content-endpoint.ts';
import { uploadsEndpoint } from '../../server/endpoints/uploads-endpoint.ts';
import { type TestServiceParts, testService, useDatabase } from '../services/database.ts';
import { openHost } from './open-host.ts';

/** The website's address in tests. */
export const SITE = 'https://localhost:8443';

/** Sender of a request: nobody, or the user with a role. */
export type Asker = 'anonymous' | Role;

/** A request to the content interface. */
export interface ContentCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly bytes?: Uint8Array;
}

/** A website with a user of each role, and nothing else. */
export interface ContentHost {
  readonly app: FastifyInstance;
  /** The value of `Authorization` by which a user proves to be that. */
  credentialsOf(role: Role): string;
  /** @param path below `/wp-json`, or an address */
  call(asker: Asker, method: string, path: string, call?: ContentCall): Promise<LightMyRequestResponse>;
}

/** Opens a website with a database of its own for a whole test file. */
export function useContentHost(parts: TestServiceParts = {}): ContentHost {
  useDatabase(parts);
  const passwords = new Map<Role, string>();
  const host = { app: undefined as FastifyInstance | undefined };

  beforeAll(async () => {
    for (const role of ROLES) {
      const { username, application_password } = await addWebsiteUser(testService, role, `${role}@example.com`, role);
      passwords.set(role, Buffer.from(`${username}:${application_password}`).toString('base64'));
    }
    host.app = await openHost([
      await contentEndpoint(testService, new URL(SITE)),
      uploadsEndpoint(new URL(SITE), mediaStorage(testService)),
    ]);
  });
  afterAll(async () => host.app?.close());

  const credentialsOf = (role: Role) => `Basic ${passwords.get(role)}`;
  const app = () => {
    if (!host.app) throw new Error('The website opens before the first test');
    return host.app;
  };
  return {
    get app() {
      return app();
    },
    credentialsOf,
    call: (asker, method, path, { headers = {}, json, bytes } = {}) => {
      const url = path.startsWith('https:') ? path.slice(SITE.length) : `/wp-json${path}`;
      const options: InjectOptions = {
        method: method as 'GET',
        url,
        headers: {
          ...(asker !== 'anonymous' && { authorization: credentialsOf(asker) }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { payload: JSON.stringify(json) }),
        ...(bytes !== undefined && { payload: Buffer.from(bytes) }),
      };
      return app().inject(options);
    },
  };
}
