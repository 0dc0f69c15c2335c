import { once } from '../../schema/once.ts';

/** Time after the load of the page in which scripts are waited for that keep it busy, in milliseconds. */
const BUSY_MS = 2000;

/** Resolves when scripts can have set the properties of elements in the page's HTML: the page has loaded, and is idle. */
export const whenSet = once(async (): Promise<void> => {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: BUSY_MS });
    else setTimeout(resolve, BUSY_MS / 10);
  });
});
