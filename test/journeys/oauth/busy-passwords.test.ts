import { beforeAll, expect, test, vi } from 'vitest';

import { useDatabase } from '../../services/database.ts';
import { useOauthHost, type Visit, Visitor } from '../../hosts/oauth-host.ts';

/** Passwords that are being hashed, until the test lets them go. */
const hashing = vi.hoisted(() => {
  const nothing: () => void = () => undefined;
  const release: (() => void)[] = [];
  return { started: 0, release, reached: nothing };
});

vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  scrypt: (
    _password: string,
    _salt: Buffer,
    length: number,
    _options: object,
    done: (e: null, key: Buffer) => void,
  ) => {
    hashing.started++;
    hashing.release.push(() => done(null, Buffer.alloc(length)));
    hashing.reached();
  },
}));

useDatabase();
const service = useOauthHost();

let token: string;
let browser: Visitor;
beforeAll(async () => {
  browser = new Visitor(service.at);
  const form = await browser.get(`${service.at.issuer}/apps`);
  token = /name="form_token" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
});

const signIn = (at: number) =>
  browser.post(`${service.at.issuer}/apps/sign-in`, { email: `${at}@example.com`, password: 'x', form_token: token });

test('of many simultaneous passwords two are hashed, twenty wait, and the others are refused for a while', async () => {
  const refused: Visit[] = [];
  const statuses: number[] = [];
  let all: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    all = Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const answer = await signIn(at);
        statuses.push(answer.status);
        if (answer.status === 503 && refused.push(answer) === 8) resolve();
      }),
    );
  });
  expect(hashing.started).toBe(2);
  expect(refused[0]?.headers.get('retry-after')).toBe('10');
  expect(refused[0]?.text).toContain('<h1>The service is busy</h1>');

  hashing.reached = () => setImmediate(letGo);
  function letGo(): void {
    for (const release of hashing.release.splice(0)) release();
  }
  letGo();
  await all;
  expect(statuses.toSorted()).toEqual([...Array(22).fill(422), ...Array(8).fill(503)]);
});
