import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** The browser that drew the goldens: that of the version of `@sparticuz/chromium` in package.json. */
export const GOLDEN_BROWSER = '147';

/** Differences of a picture from its golden. */
export interface GoldenDifference {
  /** Part of the pixels that differ, from 0 to 1. */
  readonly part: number;
  /** Instruction that names the pictures to compare. */
  readonly hint: string;
}

/**
 * Compares a picture (PNG) with `goldens/<name>.png`; a name may begin with a folder. `UPDATE_GOLDENS=1` takes
 * the picture for the golden; look at it before you commit it.
 */
export function differenceFromGolden(name: string, picture: Buffer): GoldenDifference {
  const file = join(import.meta.dirname, 'goldens', `${name}.png`);
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(file, picture);
  if (!existsSync(file)) return { part: 1, hint: `${file} is missing: UPDATE_GOLDENS=1 draws it` };
  const [golden, drawn] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(picture)];
  const { width, height } = golden;
  if (drawn.width !== width || drawn.height !== height) return { part: 1, hint: 'The picture has another size' };
  const marked = new PNG({ width, height });
  const pixels = pixelmatch(golden.data, drawn.data, marked.data, width, height, { threshold: 0.1 });
  const part = pixels / (width * height);
  if (part === 0) return { part, hint: 'None' };
  const seen = join(tmpdir(), `waybridge-golden-${name.replaceAll('/', '-')}`);
  writeFileSync(`${seen}.png`, picture);
  writeFileSync(`${seen}-difference.png`, PNG.sync.write(marked));
  return { part, hint: `Compare ${file} with ${seen}.png and ${seen}-difference.png` };
}
