import { CommentModel } from '../models/comment.ts';
import { ContentItemModel, type ItemType } from '../models/content-item.ts';
import { SequenceModel } from '../models/sequence.ts';
import { readStoredSettings } from '../models/site-settings.ts';
import { TermModel } from '../models/term.ts';
import { CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { type Taxonomy, TERM_KINDS } from '../schema/kinds/term-kinds.ts';
import { WebsiteUserModel } from '../models/website-user.ts';
import { NEXT_ID_NAMES } from './sequence-ends.ts';

import { exportedComment, exportedCredentials, exportedItem, exportedTerm, exportedUser } from './exported-records.ts';

/** A list in the exported document, whose records are read one after the other. */
type Records = AsyncIterable<unknown>;

/**
 * All content of the website as the text of a JSON document, piece by piece, in the format that an import reads: numbers,
 * hashes of passwords, bytes of uploads. Importing it in the place of everything gives the same website.
 *
 * @param siteUrl address of this site, without a slash at its end
 */
export async function* exportContent(siteUrl: string): AsyncGenerator<string> {
  let separator = '{\n';
  for (const [name, value] of members(siteUrl)) {
    yield `${separator}${JSON.stringify(name)}: `;
    yield* pieces(await value);
    separator = ',\n';
  }
  yield '\n}\n';
}

function members(siteUrl: string): [name: string, value: unknown | Promise<unknown> | Records][] {
  return [
    ['about', 'Content of a Waybridge website, as "waybridge content import" reads it'],
    ['base_url', siteUrl],
    ['options_not_in_settings', unpublishedOptions()],
    ['settings', publishedSettings()],
    ['next_ids', nextIds()],
    ['credentials', records(WebsiteUserModel.find({}).sort({ id: 1 }).lean().cursor(), exportedCredentials)],
    ['users', records(WebsiteUserModel.find({}).sort({ id: 1 }).lean().cursor(), exportedUser)],
    ...TERM_KINDS.map(({ many, taxonomy }): [string, Records] => [many, terms(taxonomy)]),
    ...CONTENT_KINDS.toReversed().map(({ many, type }): [string, Records] => [many, items(type, siteUrl)]),
    ['revisions', items('revision', siteUrl)],
    ['comments', records(CommentModel.find({}).sort({ id: 1 }).lean().cursor(), exportedComment)],
  ];
}

function terms(taxonomy: Taxonomy): Records {
  return records(TermModel.find({ taxonomy }).sort({ id: 1 }).lean().cursor(), exportedTerm);
}

function items(type: ItemType, siteUrl: string): Records {
  const found = ContentItemModel.find({ type }).sort({ id: 1 }).lean().cursor();
  return records(found, (item) => exportedItem(item, siteUrl));
}

async function* records<T>(found: AsyncIterable<T>, exported: (record: T) => unknown): Records {
  for await (const record of found) yield exported(record);
}

async function* pieces(value: unknown): AsyncGenerator<string> {
  if (!isRecords(value)) {
    yield JSON.stringify(value);
    return;
  }
  let separator = '[\n';
  for await (const record of value) {
    yield `${separator}${JSON.stringify(await record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]' : '\n]';
}

function isRecords(value: unknown): value is Records {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function publishedSettings(): Promise<unknown> {
  const { uploads_use_yearmonth_folders: _, image_sizes: __, ...settings } = await readStoredSettings();
  return settings;
}

async function unpublishedOptions(): Promise<unknown> {
  const { uploads_use_yearmonth_folders: byMonth, image_sizes } = await readStoredSettings();
  return { uploads_use_yearmonth_folders: typeof byMonth === 'boolean' ? Number(byMonth) : null, image_sizes };
}

async function nextIds(): Promise<unknown> {
  const sequences = await SequenceModel.find({}).lean();
  return Object.fromEntries(sequences.map(({ _id, last }) => [NEXT_ID_NAMES[_id], last + 1]));
}
