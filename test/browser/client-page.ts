import type { BrowserContext, Page, Route } from 'playwright-core';

import { clientBundle } from '../processes/client-bundle.ts';

/** Origin of the app whose pages contain the client; nothing answers there but {@link useClientPages}. */
export const APP = 'https://app.example';

/** The client as a page has it. */
export type Waybridge = typeof import('../../client/waybridge-client.ts');

/** Lets the pages of a context open {@link APP}, with the client as `Waybridge`, and with what its server answers by path. */
export async function useClientPages(
  context: BrowserContext,
  paths: Readonly<Record<string, (route: Route) => Promise<void>>> = {},
): Promise<void> {
  const script = await clientBundle('iife');
  const body = `<!doctype html><title>App</title><script>${script.replaceAll('</script', '<\\/script')}</script>`;
  await context.route(`${APP}/**`, (route) => {
    const answer = paths[new URL(route.request().url()).pathname];
    return answer ? answer(route) : route.fulfill({ contentType: 'text/html', body });
  });
}

/** Opens a page of the app. */
export async function openClientPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${APP}/`);
  return page;
}
