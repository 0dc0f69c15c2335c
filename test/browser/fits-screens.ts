import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { runSize } from '../services/run-size.ts';

/** Widths and heights that pages are made for, in CSS pixels. */
const SCREENS = {
  wide: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
} as const;

/**
 * Expects that a page is nowhere wider than the screen: the narrowest, in light colors, in `npm test`, and every screen, in
 * light and dark, in `npm run test:full`. Keeps a picture of each for people where `SCREENSHOTS` names a folder.
 *
 * @param what name of the page in failures and of the pictures
 */
export async function fitsScreens(page: Page, what: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  for (const colorScheme of runSize(['light'] as const, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    for (const [name, viewport] of runSize([['narrow', SCREENS.narrow]] as const, Object.entries(SCREENS))) {
      await page.setViewportSize(viewport);
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${what}-${name}-${colorScheme}.png`, fullPage: true });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([what, name, colorScheme, overflow]).toEqual([what, name, colorScheme, 0]);
    }
  }
}
