import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type axe from 'axe-core';
import type { Page } from 'playwright-core';

let source: Promise<string> | undefined;

/** Violations that axe finds in a page: the rule and the HTML of each node. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // A page that has not been left since the last look still has it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(await source);
  }
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // Nodes that pass are found as well, but not described.
    const { violations } = await run({ resultTypes: ['violations'], selectors: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
