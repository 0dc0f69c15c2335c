import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError, AuthError } from '../../../element/trips/load-failure.ts';
import { TokenKeeper } from '../../../element/trips/token-keeper.ts';

const NOW = Date.UTC(2026, 10, 3, 8);
const HOUR = 3_600_000;

/** A token issued now, or so many milliseconds from now, that lives an hour. */
function tokenOf(name: string, issued = 0): string {
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const iat = (Date.now() + issued) / 1000;
  return `${part({ alg: 'ES256', typ: 'trips+jwt' })}.${part({ iat, exp: iat + 3600, jti: name })}.c2ln`;
}

/** A service that takes every token but these. */
const refusing =
  (...refused: string[]) =>
  async (token: string): Promise<string> => {
    if (refused.includes(token)) throw new AuthError(`refused ${token}`);
    return token;
  };

let keeper: TokenKeeper;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  keeper = new TokenKeeper();
});
afterEach(() => {
  keeper.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('without a provider the attribute’s token is used, whatever the clock says, and no clock runs', async () => {
  const ended = tokenOf('ended', -2 * HOUR);
  keeper.takeToken(ended);
  expect(await keeper.use(refusing())).toBe(ended);
  await expect(keeper.use(refusing(ended))).rejects.toThrow(`refused ${ended}`);
  expect([keeper.fault, vi.getTimerCount()]).toEqual([null, 0]);
});

test.each([[null], [''], ['opaque']])('without a provider %j is a fault', (token) => {
  keeper.takeToken(token);
  expect(keeper.fault).toContain('service-token');
  keeper.takeProvider(async () => tokenOf('any'));
  expect(keeper.fault).toBeNull();
});

test('the provider is asked where there is no token, and its token is kept', async () => {
  const token = tokenOf('first');
  const provider = vi.fn(async () => token);
  keeper.takeProvider(provider);
  expect(await keeper.use(refusing())).toBe(token);
  expect(await keeper.use(refusing())).toBe(token);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('the attribute’s token is used first; one that has ended is not sent', async () => {
  const provider = vi.fn(async () => tokenOf('fresh'));
  const [written, ended] = [tokenOf('written'), tokenOf('ended', -HOUR)];
  keeper.takeProvider(provider);
  keeper.takeToken(written);
  expect(await keeper.use(refusing())).toBe(written);
  expect(provider).not.toHaveBeenCalled();
  keeper.takeToken(ended);
  expect(await keeper.use(refusing())).toBe(tokenOf('fresh'));
});

test('a minute before a token ends the next is asked for, and so on, until it stops', async () => {
  let count = 0;
  const provider = vi.fn(async () => tokenOf(`${++count}`));
  keeper.takeToken(tokenOf('written'));
  keeper.takeProvider(provider);
  await vi.advanceTimersByTimeAsync(HOUR - 61_000);
  expect(provider).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(provider).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(provider).toHaveBeenCalledTimes(4);
  keeper.stop();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(provider).toHaveBeenCalledTimes(4);
});

test('a rejected token is replaced once', async () => {
  const [written, fresh] = [tokenOf('written'), tokenOf('fresh')];
  const provider = vi.fn(async () => fresh);
  keeper.takeToken(written);
  keeper.takeProvider(provider);
  expect(await keeper.use(refusing(written))).toBe(fresh);
  await expect(keeper.use(refusing(written, fresh))).rejects.toThrow(`refused ${fresh}`);
  expect(provider).toHaveBeenCalledTimes(2);
});

test('a failure of the service is not the token’s', async () => {
  const provider = vi.fn(async () => tokenOf('fresh'));
  keeper.takeToken(tokenOf('written'));
  keeper.takeProvider(provider);
  await expect(keeper.use(() => Promise.reject(new ApiError('Busy')))).rejects.toThrow('Busy');
  expect(provider).not.toHaveBeenCalled();
});

test.each([
  ['fails', () => Promise.reject(new Error('Signed out')), 'The tokenProvider failed'],
  ['throws', () => Promise.resolve().then(() => JSON.parse('')), 'The tokenProvider failed'],
  ['gives another kind of token', async () => 'opaque', 'no special-purpose token'],
  ['gives none', async () => null as unknown as string, 'no special-purpose token'],
])('a provider that %s is an authentication error, and is not asked again by itself', async (_, provide, message) => {
  const provider = vi.fn(provide);
  keeper.takeProvider(provider);
  const failure = await keeper.use(refusing()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthError);
  expect(String(failure)).toContain(message);
  await vi.advanceTimersByTimeAsync(10 * HOUR);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('the same ended token again is sent and refused, and does not go round', async () => {
  const ended = tokenOf('ended', -2 * HOUR);
  const provider = vi.fn(async () => ended);
  keeper.takeProvider(provider);
  await expect(keeper.use(refusing(ended))).rejects.toThrow(`refused ${ended}`);
  expect(provider).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10 * HOUR);
  expect(provider.mock.calls.length).toBeLessThanOrEqual(3);
});

test('a reader’s clock that is hours ahead does no harm', async () => {
  const provider = vi.fn(async () => tokenOf('fresh', -5 * HOUR));
  keeper.takeProvider(provider);
  await keeper.use(refusing());
  await keeper.use(refusing());
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
  keeper.takeProvider(provider);
  const loads = [keeper.use(refusing()), keeper.use(refusing())];
  keeper.takeProvider(provider);
  give(tokenOf('fresh'));
  expect(await Promise.all(loads)).toEqual([tokenOf('fresh'), tokenOf('fresh')]);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('an answer that comes after the end, or after another attribute, is not kept', async () => {
  let give: (token: string) => void = () => {};
  const held = new Promise<string>((resolve) => {
    give = resolve;
  });
  keeper.takeProvider(() => held);
  const load = keeper.use(refusing());
  keeper.takeToken(tokenOf('written'));
  give(tokenOf('late'));
  await load;
  expect(await keeper.use(refusing())).toBe(tokenOf('written'));
});
