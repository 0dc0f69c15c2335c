import { CommentStore, type StoredComment } from '../models/comment.ts';
import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { readSettings } from '../models/site-settings.ts';
import { type StoredTerm, TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { permalinkOf, upFrom } from '../access/permalink.ts';
import { loadParents } from '../items/item-extras.ts';
import { sourceUrl } from '../media/files/media-details.ts';
import { CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import type { Service } from '../../models/store/service.ts';
import { escapeXml, validXml } from '../../schema/xml.ts';

const NAMESPACES =
  'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"';
const APPROVED: Readonly<Record<string, string>> = { approved: '1', hold: '0' };

/**
 * The content of the website as the text of WordPress's exchange file (WXR 1.2), in pieces: authors, terms, posts, pages, media
 * by their addresses, and comments. It has no files, passwords, revisions or settings.
 */
export async function* exportWxr(service: Service, siteUrl: string): AsyncGenerator<string> {
  const { title, description, language } = await readSettings(service);
  yield `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`;
  yield `${elements({ title: title ?? '', link: siteUrl, description: description ?? '', language: (language ?? '').replace('_', '-') })}`;
  yield elements({ 'wp:wxr_version': '1.2', 'wp:base_site_url': siteUrl, 'wp:base_blog_url': siteUrl });
  const logins = new Map<number, string>();
  for await (const user of WebsiteUserStore.find(service, {}).sort({ id: 1 }).cursor()) {
    logins.set(user.id, user.username);
    const names = { display_name: user.name, first_name: user.first_name, last_name: user.last_name };
    yield group(
      'wp:author',
      prefixed('wp:author_', { id: user.id, login: user.username, email: user.email, ...names }),
    );
  }
  const terms = new Map((await TermStore.find(service, {}).sort({ id: 1 })).map((term) => [term.id, term]));
  const byDepth = [...terms.values()].sort((one, other) => depthOf(one, terms) - depthOf(other, terms));
  for (const { id, taxonomy, slug, name, parent, description: text } of byDepth) {
    yield taxonomy === 'category'
      ? group('wp:category', {
          ...{ 'wp:term_id': id, 'wp:category_nicename': slug, 'wp:category_parent': terms.get(parent)?.slug ?? '' },
          ...{ 'wp:cat_name': name, 'wp:category_description': text },
        })
      : group('wp:tag', { 'wp:term_id': id, 'wp:tag_slug': slug, 'wp:tag_name': name, 'wp:tag_description': text });
  }
  const types = CONTENT_KINDS.map(({ type }) => type);
  for await (const item of ContentItemStore.find(service, { type: { $in: types } })
    .sort({ id: 1 })
    .cursor()) {
    yield await itemOf(service, item, siteUrl, logins, terms);
  }
  yield '</channel>\n</rss>\n';
}

function depthOf(term: StoredTerm, terms: ReadonlyMap<number, StoredTerm>): number {
  return [...upFrom(term, (id) => terms.get(id))].length;
}

async function itemOf(
  service: Service,
  item: StoredItem,
  siteUrl: string,
  logins: ReadonlyMap<number, string>,
  terms: ReadonlyMap<number, StoredTerm>,
): Promise<string> {
  const { parentOf } = await loadParents(service, [item]);
  const comments = await CommentStore.find(service, { post: item.id }).sort({ id: 1 });
  const linked = [...item.categories, ...item.tags].flatMap((id) => terms.get(id) ?? []);
  const isUpload = item.type === 'attachment';
  const old = item.former_paths.map((path) => path.split('/').at(-1) ?? '');
  const meta = [
    ...(item.featured_media > 0 ? [['_thumbnail_id', item.featured_media] as const] : []),
    ...(item.template === '' ? [] : [['_wp_page_template', item.template] as const]),
    ...(item.alt_text === '' ? [] : [['_wp_attachment_image_alt', item.alt_text] as const]),
    ...(isUpload && item.file !== '' ? [['_wp_attached_file', item.file] as const] : []),
    ...[...new Set(old)].filter((slug) => slug !== item.slug).map((slug) => ['_wp_old_slug', slug] as const),
  ];
  const dates = { date: item.date, date_gmt: item.date_gmt, modified: item.modified, modified_gmt: item.modified_gmt };
  return [
    `<item>\n${elements({ title: item.title, link: permalinkOf(item, siteUrl, parentOf), 'dc:creator': logins.get(item.author) ?? '' })}`,
    `<guid isPermaLink="false">${escapeXml(item.guid)}</guid>\n`,
    elements({ 'content:encoded': item.content, 'excerpt:encoded': item.excerpt, 'wp:post_id': item.id }),
    elements(
      prefixed('wp:post_', Object.fromEntries(Object.entries(dates).map(([name, date]) => [name, written(date)]))),
    ),
    elements(
      prefixed('wp:', { comment_status: item.comment_status, ping_status: item.ping_status, status: item.status }),
    ),
    elements(prefixed('wp:post_', { name: item.slug, parent: item.parent, type: item.type, password: item.password })),
    elements({ 'wp:menu_order': item.menu_order, 'wp:is_sticky': Number(item.sticky) }),
    isUpload ? elements({ 'wp:attachment_url': sourceUrl(item, siteUrl) }) : '',
    ...linked.map(({ taxonomy, slug, name }) => termOf(taxonomy, slug, name)),
    ['', 'standard'].includes(item.format)
      ? ''
      : termOf('post_format', `post-format-${item.format}`, item.format[0]?.toUpperCase() + item.format.slice(1)),
    ...meta.map(([key, value]) => group('wp:postmeta', { 'wp:meta_key': key, 'wp:meta_value': value })),
    ...comments.map(commentOf),
    '</item>\n',
  ].join('');
}

function termOf(domain: string, slug: string, name: string): string {
  return `<category domain="${domain}" nicename="${escapeXml(slug)}">${section(name)}</category>\n`;
}

function commentOf(comment: StoredComment): string {
  const { author_name: author, author_ip: author_IP, author: user_id, status } = comment;
  const approved = APPROVED[status] ?? status;
  const dates = { date: written(comment.date), date_gmt: written(comment.date_gmt) };
  const { id, author_email, author_url, content, type, parent } = comment;
  const who = { id, author, author_email, author_url, author_IP };
  return group('wp:comment', prefixed('wp:comment_', { ...who, ...dates, content, approved, type, parent, user_id }));
}

/** A date as WordPress stores it; zeros for none. */
function written(date: string | null): string {
  return date === null ? '0000-00-00 00:00:00' : date.replace('T', ' ');
}

type Texts = Readonly<Record<string, string | number>>;

function prefixed(prefix: string, texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]));
}

function group(name: string, texts: Texts): string {
  return `<${name}>\n${elements(texts)}</${name}>\n`;
}

function elements(texts: Texts): string {
  return Object.entries(texts)
    .map(([name, text]) => `<${name}>${typeof text === 'number' ? text : section(text)}</${name}>\n`)
    .join('');
}

function section(text: string): string {
  return text === '' ? '' : `<![CDATA[${validXml(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
