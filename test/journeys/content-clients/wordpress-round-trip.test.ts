import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { exportContent } from '../../../content/transfer/export-content.ts';
import { exportWxr } from '../../../content/transfer/export-wxr.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { wxrMembers } from '../../../content/transfer/wxr-members.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

const SEED = new URL('../../../../shared/conformance/content/seed.json', import.meta.url);
const PROGRAM = join(import.meta.dirname, 'wordpress-round-trip.php');
const site = 'https://docs.example';
const replacing = { replace: true, siteUrl: site };

type Records = readonly Readonly<Record<string, unknown>>[];
type Content = Readonly<Record<string, Records>>;

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/**
 * The part of an export that exchange files of WordPress carry: authors of items, no spam, and no numbers of terms, users and
 * comments, which WordPress assigns again.
 */
function carried({
  users: everyone = [],
  categories = [],
  tags = [],
  media = [],
  posts = [],
  pages = [],
  comments = [],
}: Content) {
  const users = everyone.filter(({ id }) => [...media, ...posts, ...pages].some(({ author }) => author === id));
  const nameIn = (records: Records, name: string) => (id: unknown) =>
    records.find((one) => one.id === id)?.[name] ?? null;
  const login = nameIn(users, 'username');
  const [category, tag] = [nameIn(categories, 'slug'), nameIn(tags, 'slug')];
  const comment = nameIn(comments, 'content');
  const picked = (one: Records[number], names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, one[name]]));
  const common = 'id slug status title date date_gmt comment_status ping_status';
  const item = (one: Records[number]) => ({
    ...picked(one, `${common} content excerpt password parent menu_order template featured_media sticky format`),
    author: login(one.author),
    categories: [one.categories].flat().map(category).sort(),
    tags: [one.tags].flat().map(tag).sort(),
  });
  const sorted = <T>(records: readonly T[]) =>
    records
      .map((one) => JSON.stringify(one))
      .sort()
      .map((text): T => JSON.parse(text));
  return {
    // The site has an administrator of its own, which an import does not change.
    users: sorted(
      users
        .filter(({ username }) => username !== 'admin')
        .map((one) => picked(one, 'username email name first_name last_name')),
    ),
    categories: sorted(
      categories.map((one) => ({ ...picked(one, 'slug name description'), parent: category(one.parent) })),
    ),
    tags: sorted(tags.map((one) => picked(one, 'slug name description'))),
    media: media.map((one) => ({
      ...picked(one, `${common} description caption alt_text mime_type post source_url`),
      author: login(one.author),
    })),
    posts: posts.map(item),
    pages: pages.map(item),
    comments: sorted(
      comments
        .filter(({ status }) => status !== 'spam')
        .map((one) => ({
          ...picked(one, 'post author_name author_email author_url author_ip date date_gmt content status type'),
          ...{ author: login(one.author), parent: comment(one.parent) },
        })),
    ),
  };
}

const exported = async (): Promise<Content> => JSON.parse(await textOf(exportContent(testService, site)));

test('content survives the way into a WordPress and back', async (context) => {
  const folder = process.env.WORDPRESS_FOLDER;
  if (!folder) return context.skip('WORDPRESS_FOLDER may name the folder of a WordPress that has wordpress-importer');
  if (!existsSync(SEED)) return context.skip('The recorded content is not there');
  const own = await mkdtemp(join(tmpdir(), 'round-trip-'));
  onTestFinished(() => rm(own, { recursive: true }));
  const seed = JSON.parse(readFileSync(SEED, 'utf8'));
  // WordPress takes two posts with the same title and date for one.
  for (const post of seed.posts) if (post.title.raw === 'Same title') post.title = { raw: `Title ${post.id}` };
  for (const { source_url, file_base64 } of seed.media) {
    await writeFile(join(own, basename(source_url)), Buffer.from(file_base64, 'base64'));
  }
  await importContent(testService, seed, replacing);
  const before = carried(await exported());
  const file = join(own, 'content.xml');
  await writeFile(file, exportWxr(testService, site));
  const { stdout } = await promisify(execFile)('php', [PROGRAM, folder, file, own], { maxBuffer: 64 * 1024 * 1024 });
  const source = async function* () {
    yield Buffer.from(stdout);
  };
  await importContent(testService, () => wxrMembers(source()), replacing);
  expect(carried(await exported())).toEqual(before);
});
