import { describe, expect, test } from 'vitest';

import { ENGINES } from '../../browser/built-file.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';

/** Bytes of the page's JavaScript heap that are still reached. */
async function heapOf({ page }: ElementPage): Promise<number> {
  const session = await page.context().newCDPSession(page);
  // Twice: what the first leaves to finalizers goes with the second.
  for (let time = 0; time < 2; time++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Puts elements into the page one after the other, each until its trips are shown; they take turns of these kinds. */
async function mount(page: ElementPage, count: number, kinds: readonly string[]): Promise<void> {
  await page.page.evaluate(
    async ([times, markup]) => {
      for (let time = 0; time < times; time++) {
        document.body.insertAdjacentHTML('beforeend', markup[time % markup.length] ?? '');
        const element = document.body.lastElementChild;
        await new Promise((resolve) => element?.addEventListener('trip-render', resolve, { once: true }));
        element?.remove();
      }
    },
    [count, kinds] as [number, readonly string[]],
  );
}

const MOUNTS = 200;

describe.each(ENGINES)('%s', (engine) => {
  const pages = useElementPages(engine);

  // Some are static, since an interactive map takes half a second where there is no graphics card.
  test(`${MOUNTS} mounts end within 10 % of the memory of the 20th`, async () => {
    const element = (attributes: Record<string, string>): string =>
      `<service-trips-map style="height:180px;width:240px" ${pages.attributes(attributes)}></service-trips-map>`;
    const still = element({ 'map-type': 'static', 'trip-list': '' });
    const interactive = element({ 'map-style': 'local-style.json', 'trip-list': '', replay: '' });
    const page = await pages.open('');
    // The page's record of the events would hold what it has seen.
    await page.page.evaluate('seen = { push() {} }');
    await mount(page, 20, [interactive, still]);
    const before = await heapOf(page);
    await mount(page, MOUNTS - 20, [interactive, ...Array(8).fill(still)]);
    const after = await heapOf(page);
    expect(after).toBeLessThanOrEqual(before * 1.1);
    await page.close();
  });
});
