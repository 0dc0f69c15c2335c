import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { renderComment, renderContent } from '../../../content/rendering/content.ts';
import { renderExcerpt } from '../../../content/rendering/excerpt.ts';
import { renderTitle } from '../../../content/rendering/title.ts';

const RECORDING = '../shared/conformance/content';
const SETTINGS = { smilies: true, siteUrl: 'http://127.0.0.1:8082' };

interface Shown {
  readonly raw: string;
  readonly rendered: string;
}
interface RecordedObject {
  readonly type?: string;
  readonly status?: string;
  readonly author_name?: string;
  readonly title?: Partial<Shown>;
  readonly content?: Partial<Shown>;
  readonly excerpt?: Partial<Shown>;
}

/** Every object of the recording, at any depth. */
function recordedObjects(): RecordedObject[] {
  const found: RecordedObject[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    found.push(value as RecordedObject);
    Object.values(value).forEach(visit);
  };
  visit(JSON.parse(readFileSync(join(RECORDING, 'seed.json'), 'utf8')));
  for (const file of readdirSync(join(RECORDING, 'cases'))) {
    for (const line of readFileSync(join(RECORDING, 'cases', file), 'utf8')
      .split('\n')
      .filter(Boolean)) {
      const { response } = JSON.parse(line);
      if (typeof response === 'string' && /^[[{]/.test(response)) visit(JSON.parse(response));
    }
  }
  return found;
}

const isShown = (field: Partial<Shown> | undefined): field is Shown =>
  typeof field?.raw === 'string' && typeof field.rendered === 'string';
/** Others show further objects of the site, which this test has not, or marks of blocks, which are hidden on purpose. */
const isAlone = (raw: string) => !/\[gallery|^http|<!-- wp:/m.test(raw);

test.skipIf(!existsSync(RECORDING))('everything recorded is rendered alike (skipped without ../shared)', () => {
  let compared = 0;
  for (const { type, status, author_name, title, content, excerpt } of recordedObjects()) {
    if (isShown(title) && type !== undefined) {
      expect((status === 'private' ? 'Private: ' : '') + renderTitle(title.raw)).toBe(title.rendered);
      compared++;
    }
    if (!isShown(content) || !isAlone(content.raw)) continue;
    const render = author_name === undefined ? renderContent : renderComment;
    expect(render(content.raw, SETTINGS)).toBe(content.rendered);
    compared++;
    const hasExcerpt = isShown(excerpt) && (type === 'post' || type === 'page' || excerpt.raw !== '');
    if (hasExcerpt && isShown(excerpt))
      expect(renderExcerpt(excerpt.raw, content.raw, SETTINGS)).toBe(excerpt.rendered);
  }
  expect(compared).toBeGreaterThan(100);
});
