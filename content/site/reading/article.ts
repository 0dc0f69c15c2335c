import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import { TermStore, type StoredTerm } from '../../models/term.ts';
import { WebsiteUserStore } from '../../models/website-user.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { isRevealed, type ShowArguments, showItems } from '../../items/item-view.ts';
import { ATTACHMENT, type ContentKind, kindOf } from '../../schema/kinds/content-kinds.ts';
import type { Attachment } from '../../schema/records/attachment.ts';
import type { Post } from '../../schema/records/post.ts';
import { serve } from '../../media/served-kinds.ts';
import { isImage, sourceUrl } from '../../media/files/media-details.ts';
import { imageElement } from '../../media/files/image-markup.ts';
import { CATEGORY, TAG, type TermKind } from '../../schema/kinds/term-kinds.ts';
import { showTerms } from '../../terms/term-view.ts';
import type { ViewOf } from '../../schema/content-field.ts';

/** A name as HTML, and the address to which it links. */
export interface NamedLink {
  readonly name: string;
  readonly link: string;
}

/** Position of a picture on a page. */
export interface PictureUse {
  /** Its widths, in the form of the attribute `sizes`. */
  readonly sizes: string;
  readonly loading?: 'lazy';
}

/** A picture as shown on pages. */
export interface Picture {
  /** Writes its `img` element, which offers the copies of the file to browsers. */
  readonly element: (use: PictureUse) => string;
  readonly url: string;
}

/** A post, page or attachment as the website shows it to its visitors. Texts are HTML, dates `YYYY-MM-DDThh:mm:ss`. */
export interface Article {
  readonly id: number;
  readonly kind: ContentKind;
  readonly link: string;
  /** Its identifier in feeds, independent of its address. */
  readonly guid: string;
  /** Empty if it has none. */
  readonly title: string;
  /** In the site's time zone. */
  readonly date: string;
  /** In GMT. */
  readonly published: string;
  /** In GMT. */
  readonly modified: string;
  readonly author: NamedLink | null;
  /** True if it is password-protected, and no or a wrong password was given: excerpt and content are empty. */
  readonly isLocked: boolean;
  /** True if it is password-protected. */
  readonly isProtected: boolean;
  /** True if visitors may comment on it. */
  readonly isOpen: boolean;
  readonly excerpt: () => Promise<string>;
  readonly content: () => Promise<string>;
  readonly image: Picture | null;
  readonly categories: readonly NamedLink[];
  readonly tags: readonly NamedLink[];
}

/** The part of a record of any kind that the website reads. */
type ShownItem = Partial<ViewOf<Post & Pick<Attachment, 'caption' | 'description'>>>;

/** The fields of it that are read. */
const SHOWN = new Set(['id', 'link', 'title', 'date_gmt', 'excerpt', 'content', 'caption', 'description']);

/**
 * Shows the items of one kind that the caller may read, by the rules of the content interface.
 *
 * @param args the password of a protected item
 */
export async function showArticles(
  items: readonly StoredItem[],
  context: ContentContext,
  args: Pick<ShowArguments, 'password'> = {},
): Promise<Article[]> {
  const kind = kindOf(items[0]?.type ?? '');
  if (!kind) return [];
  const [views, authors, terms, images] = await Promise.all([
    showItems(serve(kind).view, items, args, context, SHOWN),
    loadAuthors(items, context),
    loadTerms(items, context),
    loadImages(items, context),
  ]);
  const byId = new Map(items.map((item) => [item.id, item]));
  return Promise.all(
    (views as readonly ShownItem[]).map(async (view): Promise<Article> => {
      const item = byId.get(Number(await fieldOf(view.id)));
      if (item === undefined) throw new Error('What is shown was found before');
      return {
        id: item.id,
        kind,
        link: (await fieldOf(view.link)) ?? '',
        guid: item.guid === '' ? `${context.site}/?p=${item.id}` : item.guid,
        title: await rendered(view.title),
        date: item.date,
        published: (await fieldOf(view.date_gmt)) ?? item.date,
        modified: item.modified_gmt,
        author: authors.get(item.author) ?? null,
        isLocked: !isRevealed(item, args),
        isProtected: item.password !== '',
        isOpen: item.comment_status === 'open',
        excerpt: () => rendered(view.excerpt ?? view.caption),
        content: () => rendered(view.content ?? view.description),
        image: images.get(item.featured_media) ?? null,
        categories: terms.filter(({ id }) => item.categories.includes(id)),
        tags: terms.filter(({ id }) => item.tags.includes(id)),
      };
    }),
  );
}

interface Rendered {
  readonly rendered: string;
}

async function rendered(field: Rendered | (() => Rendered | Promise<Rendered>) | undefined): Promise<string> {
  return (await fieldOf(field))?.rendered ?? '';
}

/** Loads the authors: a caller who may read an item may know its author. */
async function loadAuthors(
  items: readonly StoredItem[],
  { service, site }: ContentContext,
): Promise<ReadonlyMap<number, NamedLink>> {
  const ids = [...new Set(items.map(({ author }) => author))];
  const authors = await WebsiteUserStore.find(service, { id: { $in: ids } }, { _id: 0, id: 1, name: 1, slug: 1 });
  return new Map(authors.map(({ id, name, slug }) => [id, { name, link: `${site}/author/${slug}/` }]));
}

async function loadTerms(
  items: readonly StoredItem[],
  context: ContentContext,
): Promise<readonly (NamedLink & { readonly id: number })[]> {
  const ids = [...new Set(items.flatMap(({ categories, tags }) => [...categories, ...tags]))];
  if (ids.length === 0) return [];
  const terms = await TermStore.find(context.service, { id: { $in: ids } })
    .sort({ name_folded: 1, id: 1 })
    .select({ _id: 0 });
  const shown = await Promise.all([CATEGORY, TAG].map((kind) => linkTerms(kind, terms, context)));
  return shown.flat();
}

async function linkTerms(kind: TermKind, all: readonly StoredTerm[], context: ContentContext) {
  const terms = all.filter(({ taxonomy }) => taxonomy === kind.taxonomy);
  const views = await showTerms(kind, terms, context);
  return Promise.all(
    terms.map(async ({ id, name }, index) => ({ id, name, link: (await fieldOf(views[index]?.link)) ?? '' })),
  );
}

async function loadImages(
  items: readonly StoredItem[],
  { service, site }: ContentContext,
): Promise<ReadonlyMap<number, Picture>> {
  const ids = [...new Set(items.map(({ featured_media }) => featured_media))].filter((id) => id > 0);
  if (ids.length === 0) return new Map();
  const images = await ContentItemStore.find(service, { id: { $in: ids }, type: ATTACHMENT.type }, { _id: 0 });
  return new Map(images.filter(isImage).map((image) => [image.id, pictureOf(image, site)]));
}

function pictureOf(image: StoredItem, site: string): Picture {
  return {
    element: ({ sizes, ...further }) => imageElement(image, 'large', site, further, sizes),
    url: sourceUrl(image, site),
  };
}

/** The value of a field of a view, which may be computed on request. */
export async function fieldOf<T>(field: T | (() => T | Promise<T>)): Promise<T> {
  return field instanceof Function ? field() : field;
}
