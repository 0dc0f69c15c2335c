import { afterEach, expect, test, vi } from 'vitest';

import { testHost } from '../hosts/test-host.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('/healthz tells the version, and does not ask the database', async () => {
  const { app } = await testHost([], { ping: () => Promise.reject(new Error('unreachable')) });
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: '1.2.3' });
});

test('/readyz is ready when the database answers', async () => {
  const { app } = await testHost([]);
  expect(await app.inject('/readyz')).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
});

test('/readyz asks the database once, whoever asks how often', async () => {
  let times = 0;
  const ping = async (): Promise<void> => {
    times += 1;
  };
  const { app } = await testHost([], { ping });
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(times).toBe(1);
});

test('/readyz is 503 with Retry-After when the database refuses', async () => {
  const { app } = await testHost([], { ping: () => Promise.reject(new Error('unreachable')) });
  const answer = await app.inject('/readyz');
  expect(answer).toMatchObject({ statusCode: 503, body: '{"status":"unavailable"}' });
  expect(answer.headers['retry-after']).toBe('10');
});

test('/readyz is 503 when the database is silent for two seconds', async () => {
  let notifyPing = (): void => undefined;
  const pinged = new Promise<void>((resolve) => {
    notifyPing = resolve;
  });
  const ping = (): Promise<void> => {
    notifyPing();
    return new Promise(() => undefined);
  };
  const { app } = await testHost([], { ping });
  await app.ready();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = app.inject('/readyz').then((response) => response.statusCode);
  await pinged;
  await vi.advanceTimersByTimeAsync(2000);
  expect(await answer).toBe(503);
});
