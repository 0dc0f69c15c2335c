import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError, AuthError } from '../../../element/trips/load-failure.ts';
import { TokenManager } from '../../../element/trips/token-manager.ts';

const NOW = Date.UTC(2026, 10, 3, 8);
const HOUR = 3_600_000;

/** A token issued now, or so many milliseconds from now, that lives an hour. */
function tokenOf(name: string, issued = 0): string {
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const iat = (Date.now() + issued) / 1000;
  return `${part({ alg: 'ES256', typ: 'trips+jwt' })}.${part({ iat, exp: iat + 3600, jti: name })}.c2ln`;
}

/** A service that takes every token but these. */
const rejecting =
  (...refused: string[]) =>
  async (token: string): Promise<string> => {
    if (refused.includes(token)) throw new AuthError(`refused ${token}`);
    return token;
  };

let manager: TokenManager;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  manager = new TokenManager();
});
afterEach(() => {
  manager.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('without a provider the attribute’s token is used, whatever the clock says, and no clock runs', async () => {
  const ended = tokenOf('ended', -2 * HOUR);
  manager.setToken(ended);
  expect(await manager.use(rejecting())).toBe(ended);
  await expect(manager.use(rejecting(ended))).rejects.toThrow(`refused ${ended}`);
  expect([manager.fault, vi.getTimerCount()]).toEqual([null, 0]);
});

test.each([[null], [''], ['opaque']])('without a provider %j is a fault', (token) => {
  manager.setToken(token);
  expect(manager.fault).toContain('service-token');
  manager.setProvider(async () => tokenOf('any'));
  expect(manager.fault).toBeNull();
});

test('the provider is asked where there is no token, and its token is kept', async () => {
  const token = tokenOf('first');
  const provider = vi.fn(async () => token);
  manager.setProvider(provider);
  expect(await manager.use(rejecting())).toBe(token);
  expect(await manager.use(rejecting())).toBe(token);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('the attribute’s token is used first; one that has ended is not sent', async () => {
  const provider = vi.fn(async () => tokenOf('fresh'));
  const [written, ended] = [tokenOf('written'), tokenOf('ended', -HOUR)];
  manager.setProvider(provider);
  manager.setToken(written);
  expect(await manager.use(rejecting())).toBe(written);
  expect(provider).not.toHaveBeenCalled();
  manager.setToken(ended);
  expect(await manager.use(rejecting())).toBe(tokenOf('fresh'));
});

test('a minute before a token ends the next is asked for, and so on, until it stops', async () => {
  let count = 0;
  const provider = vi.fn(async () => tokenOf(`${++count}`));
  manager.setToken(tokenOf('written'));
  manager.setProvider(provider);
  await vi.advanceTimersByTimeAsync(HOUR - 61_000);
  expect(provider).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(provider).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(provider).toHaveBeenCalledTimes(4);
  manager.stop();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(provider).toHaveBeenCalledTimes(4);
});

test('a rejected token is replaced once', async () => {
  const [written, fresh] = [tokenOf('written'), tokenOf('fresh')];
  const provider = vi.fn(async () => fresh);
  manager.setToken(written);
  manager.setProvider(provider);
  expect(await manager.use(rejecting(written))).toBe(fresh);
  await expect(manager.use(rejecting(written, fresh))).rejects.toThrow(`refused ${fresh}`);
  expect(provider).toHaveBeenCalledTimes(2);
});

test('a failure of the service is not the token’s', async () => {
  const provider = vi.fn(async () => tokenOf('fresh'));
  manager.setToken(tokenOf('written'));
  manager.setProvider(provider);
  await expect(manager.use(() => Promise.reject(new ApiError('Busy')))).rejects.toThrow('Busy');
  expect(provider).not.toHaveBeenCalled();
});

test.each([
  ['fails', () => Promise.reject(new Error('Signed out')), 'The tokenProvider failed'],
  ['throws', () => Promise.resolve().then(() => JSON.parse('')), 'The tokenProvider failed'],
  ['gives another kind of token', async () => 'opaque', 'did not return a special-purpose token'],
  ['gives none', async () => null as unknown as string, 'did not return a special-purpose token'],
])('a provider that %s is an authentication error, and is not asked again by itself', async (_, provide, message) => {
  const provider = vi.fn(provide);
  manager.setProvider(provider);
  const failure = await manager.use(rejecting()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthError);
  expect(String(failure)).toContain(message);
  await vi.advanceTimersByTimeAsync(10 * HOUR);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('the same ended token again is sent and refused, and does not go round', async () => {
  const ended = tokenOf('ended', -2 * HOUR);
  const provider = vi.fn(async () => ended);
  manager.setProvider(provider);
  await expect(manager.use(rejecting(ended))).rejects.toThrow(`refused ${ended}`);
  expect(provider).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10 * HOUR);
  expect(provider.mock.calls.length).toBeLessThanOrEqual(3);
});

test('a reader’s clock that is hours ahead does no harm', async () => {
  const provider = vi.fn(async () => tokenOf('fresh', -5 * HOUR));
  manager.setProvider(provider);
  await manager.use(rejecting());
  await manager.use(rejecting());
  expect(provider).toHaveBeenCalledTimes(1);
});

test('it is asked for one at a time', async () => {
  let give: (token: string) => void = () => {};
  const provider = vi.fn(
    () =>
      new Promise<string>((resolve) => {
        give = resolve;
      }),
  );
  manager.setProvider(provider);
  const loads = [manager.use(rejecting()), manager.use(rejecting())];
  manager.setProvider(provider);
  give(tokenOf('fresh'));
  expect(await Promise.all(loads)).toEqual([tokenOf('fresh'), tokenOf('fresh')]);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('an answer that comes after the end, or after another attribute, is not kept', async () => {
  let give: (token: string) => void = () => {};
  const held = new Promise<string>((resolve) => {
    give = resolve;
  });
  manager.setProvider(() => held);
  const load = manager.use(rejecting());
  manager.setToken(tokenOf('written'));
  give(tokenOf('late'));
  await load;
  expect(await manager.use(rejecting())).toBe(tokenOf('written'));
});
