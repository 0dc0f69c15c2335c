import { expect, test } from 'vitest';

import { useElementPages } from '../../browser/element-page.ts';
import { LINE, TOKEN } from '../../browser/element-site.ts';
import { pageOf, rejection, wireTrip } from '../../browser/fake-trips-service.ts';

const pages = useElementPages();

/** A static map is there sooner; what is loaded, and told of it, is the same. */
const QUICK = { 'map-type': 'static' };

/** A page whose script adds one element with a provider that counts its calls, and gives these tokens, then the last. */
function openProvided(changes: Readonly<Record<string, string | null>>, tokens: readonly (string | null)[]) {
  const script = `<div></div><script type="module" nonce="page">
    globalThis.calls = 0;
    const tokens = ${JSON.stringify(tokens)};
    const host = document.createElement('div');
    host.innerHTML = ${JSON.stringify(`<service-trips-map ${pages.attributes({ ...QUICK, ...changes })}></service-trips-map>`)};
    host.firstChild.tokenProvider = async () => {
      const token = tokens[Math.min(globalThis.calls++, tokens.length - 1)];
      if (token === null) throw new Error('Signed out');
      return token;
    };
    document.body.append(host);
  </script>`;
  return pages.open(script);
}

const tokenOf = (signature: string): string => TOKEN.replace(/[^.]+$/, signature);
const LOADED = ['mount', 'trip-loading true', 'trip-loading false', 'map-load', 'trip-render'];
const calls = 'globalThis.calls';

test('gives the first token where there is no attribute', async () => {
  const page = await openProvided({ 'service-token': null }, [tokenOf('b25l')]);
  await page.saw('trip-render');
  expect(await page.names()).toEqual(LOADED);
  expect(pages.service.calls.map(({ authorization }) => authorization)).toEqual([`Bearer ${tokenOf('b25l')}`]);
  expect(await page.page.evaluate(calls)).toBe(1);
  await page.close();
});

test('mends a rejected token, and the page hears nothing of it', async () => {
  pages.service.respond = ({ authorization }) =>
    authorization?.endsWith('dHdv') ? pageOf([wireTrip('new', LINE)]) : rejection(401, 'UNAUTHENTICATED', 'Old');
  const page = await openProvided({ 'service-token': null }, [tokenOf('b25l'), tokenOf('dHdv')]);
  await page.saw('trip-render');
  expect(await page.names()).toEqual(LOADED);
  expect(await page.page.evaluate(calls)).toBe(2);
  await page.close();
});

test.each([
  ['fails', [null], 'The tokenProvider failed'],
  ['gives the rejected token again', [tokenOf('b2xk')], 'Refused'],
  ['gives one that is rejected, too', [tokenOf('dHdv')], 'Refused'],
])('ends in auth-error when it %s', async (_, tokens, message) => {
  pages.service.respond = () => rejection(401, 'UNAUTHENTICATED', 'Refused');
  const page = await openProvided({ 'service-token': tokenOf('b2xk') }, tokens);
  await page.saw('map-load');
  const names = (await page.names()).filter((name) => name !== 'map-load');
  expect(names).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'auth-error']);
  expect((await page.events()).find(({ type }) => type === 'auth-error')?.detail).toEqual({ error: message });
  expect(await page.page.evaluate(calls)).toBe(1);
  await page.page.getByText('Please sign in again').waitFor();
  await page.close();
});

test('an element that leaves while it asks sends nothing', async () => {
  const page = await pages.open(
    `<service-trips-map ${pages.attributes({ ...QUICK, 'service-token': null })}></service-trips-map>`,
  );
  const names = await page.page.evaluate(async (token) => {
    const element = document.querySelector('service-trips-map') as HTMLElementTagNameMap['service-trips-map'];
    const seen: string[] = [];
    for (const type of ['trip-loading', 'auth-error', 'api-error'] as const) {
      element.addEventListener(type, ({ detail }) =>
        seen.push(`${type} ${detail === true || detail === false ? detail : ''}`),
      );
    }
    let give: (token: string) => void = () => {};
    await new Promise<void>((called) => {
      element.tokenProvider = () => {
        called();
        return new Promise((resolve) => {
          give = resolve;
        });
      };
    });
    element.remove();
    give(token);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return seen;
  }, TOKEN);
  expect(names).toEqual(['trip-loading true', 'trip-loading false']);
  expect(pages.service.calls).toEqual([]);
  await page.close();
});
