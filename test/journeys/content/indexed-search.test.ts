import fc from 'fast-check';
import { expect, test } from 'vitest';

import { textFilters } from '../../../content/items/search.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { ItemWordsStore, SearchWordStore } from '../../../content/models/item-words.ts';
import { runSize } from '../../services/run-size.ts';
import { useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const word = fc.constantFrom(
  ...[
    'ferry',
    'FERRY',
    'Ferries',
    'err',
    'harbour',
    'Straße',
    'STRASSE',
    'ſail',
    'Sail',
    'Été',
    'ÉTÉ',
    'ete',
    'a',
    'is',
  ],
  ...[
    '東京',
    '京都',
    'Σίσυφος',
    'ΣΊΣΥΦΟΣ',
    'İstanbul',
    'ılık',
    '2026',
    '20',
    'x'.repeat(70),
    'don’t',
    'ship_2',
    '🚢',
    '0',
  ],
);
const gap = fc.constantFrom(' ', '', '-', ' ', '</b> ', ', ');
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 6 })
  .map((parts) => parts.map(([said, between]) => said + between).join(''));
const cut = fc.tuple(word, fc.nat(3), fc.integer({ min: 1, max: 40 })).map(([said, start, length]) => {
  return [...said].slice(start, start + length).join('');
});
const term = fc.oneof(
  word,
  cut,
  fc.tuple(word, fc.constantFrom(' ', '-'), cut).map(([said, between, more]) => `"${said}${between}${more}"`),
  cut.map((said) => `-${said}`),
);
/** Without an empty term: the interface removes spaces at the ends of a search and doubled ones. */
const search = fc
  .array(term, { minLength: 1, maxLength: 3 })
  .map((terms) => terms.filter((given) => given !== '').join(' '));

const POSTS = 6;

/** Posts of a website whose texts change. */
async function writtenPosts(): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let post = 0; post < POSTS; post += 1) {
    const written = await host.call('administrator', 'POST', '/wp/v2/posts', {
      json: { title: 'New', status: 'publish' },
    });
    ids.push(written.json().id);
  }
  return ids;
}

async function found(search: string): Promise<readonly number[]> {
  const answer = await host.call('anonymous', 'GET', `/wp/v2/posts?per_page=100&search=${encodeURIComponent(search)}`);
  return answer.json().map(({ id }: { id: number }) => id);
}

test('a search finds what a comparison of all texts finds, in the same order, whatever posts said before', async () => {
  const ids = await writtenPosts();
  const change = fc.record({ post: fc.nat(POSTS - 1), title: text, content: text, excerpt: text });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 4 }),
      fc.array(search, { minLength: 4 }),
      async (changes, searches) => {
        for (const { post, ...json } of changes) {
          await host.call('administrator', 'POST', `/wp/v2/posts/${ids[post]}`, { json });
        }
        for (const one of searches.filter((given) => given !== '')) {
          const filter = { $and: [{ type: 'post' as const, status: 'publish' }, ...textFilters(one)] };
          const compared = await ContentItemStore.find(testService, filter).sort({ date: -1, id: 1 });
          expect({ one, found: await found(one) }).toEqual({ one, found: compared.map(({ id }) => id) });
        }
      },
    ),
    { numRuns: runSize(15, 200) },
  );
});

test('a search reads the words of posts, and no text that lacks them', async () => {
  const { id } = (
    await host.call('administrator', 'POST', '/wp/v2/posts', { json: { title: 'Wheelhouse', status: 'publish' } })
  ).json();
  expect(await found('eelhou')).toEqual([id]);
  await ItemWordsStore.updateOne(testService, { _id: id }, { $set: { marks: [] } });
  expect(await found('eelhous')).toEqual([]);
});

test('a text with thousands of words is found as well', async () => {
  const content = Array.from({ length: 4100 }, (_, at) => `plank${at}`).join(' ');
  const { id } = (
    await host.call('administrator', 'POST', '/wp/v2/posts', { json: { content, status: 'publish' } })
  ).json();
  expect(await found('plank4099')).toEqual([id]);
  expect(await SearchWordStore.exists(testService, { _id: 'plank4099' })).toBeNull();
});

test('what is deleted for good leaves no words behind', async () => {
  const { id } = (
    await host.call('administrator', 'POST', '/wp/v2/posts', { json: { title: 'Anchor', status: 'publish' } })
  ).json();
  expect(await ItemWordsStore.exists(testService, { _id: id })).not.toBeNull();
  await host.call('administrator', 'DELETE', `/wp/v2/posts/${id}?force=true`);
  expect(await ItemWordsStore.exists(testService, { _id: id })).toBeNull();
});
