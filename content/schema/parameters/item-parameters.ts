import { OPEN_OR_CLOSED, WRITABLE_STATUSES } from '../records/content-item.ts';
import {
  BY_ID,
  CONTEXT,
  forceOf,
  idOf,
  OFFSET,
  orderbyOf,
  orderOf,
  PAGING,
  filterBy,
  numbers,
  textList,
  dateTime,
  META,
} from '../list-parameters.ts';
import { type ParameterTable, written } from '../parameter.ts';
import { POST_FORMATS, TEMPLATES } from '../records/post.ts';
import { isTruthy } from '../php-values.ts';

/** Statuses that exist, and that the interface does not show. */
export const HIDDEN_STATUSES = [
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
] as const;

/** Statuses by which a list of posts may be filtered. */
const LISTED_STATUSES = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  ...HIDDEN_STATUSES,
  'any',
] as const;

/** Orders of every list of content items. */
const ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const;

const BY_SLUG = {
  slug: textList('Limit result set to posts with one or more specific slugs.'),
} as const satisfies ParameterTable;

const BY_STATUS = {
  status: {
    type: 'array',
    description: 'Limit result set to posts assigned one or more statuses.',
    items: { type: 'string', enum: LISTED_STATUSES },
    default: 'publish',
    check: checkedWithRights,
  },
} as const satisfies ParameterTable;

/** Filters by parent: for pages, and for media, which are attached to a post. */
const BY_PARENT = {
  parent: filterBy('Limit result set to items with particular parent IDs.'),
  parent_exclude: filterBy('Limit result set to all items except those of a particular parent ID.'),
} as const satisfies ParameterTable;

/** First parameters that lists of posts, pages and media share. */
const LIST = {
  ...CONTEXT,
  ...PAGING,
  after: dateTime('Limit response to posts published after a given ISO8601 compliant date.'),
  author: filterBy('Limit result set to posts assigned to specific authors.'),
  author_exclude: filterBy('Ensure result set excludes posts assigned to specific authors.'),
  before: dateTime('Limit response to posts published before a given ISO8601 compliant date.'),
  ...BY_ID,
  // Later versions take these; 4.9 publishes none of them.
  modified_after: { ...dateTime('Limit response to posts modified after a date.'), unlisted: true },
  search_columns: {
    ...textList('The texts in which a search looks.'),
    items: { type: 'string', enum: ['post_title', 'post_content', 'post_excerpt'] },
    unlisted: true,
  },
  modified_before: { ...dateTime('Limit response to posts modified before a date.'), unlisted: true },
} as const;

/** `GET /wp/v2/posts`. */
export const POST_LIST = {
  ...LIST,
  ...OFFSET,
  ...orderOf('desc'),
  ...orderbyOf('date', ORDERS),
  ...BY_SLUG,
  ...BY_STATUS,
  categories: termFilter('that have', 'categories'),
  categories_exclude: termFilter('except those that have', 'categories'),
  tags: termFilter('that have', 'tags'),
  tags_exclude: termFilter('except those that have', 'tags'),
  sticky: { type: 'boolean', description: 'Limit result set to items that are sticky.' },
} as const satisfies ParameterTable;

/** `GET /wp/v2/pages`. */
export const PAGE_LIST = {
  ...LIST,
  menu_order: { type: 'integer', description: 'Limit result set to posts with a specific menu_order value.' },
  ...OFFSET,
  ...orderOf('desc'),
  ...orderbyOf('date', [...ORDERS, 'menu_order']),
  ...BY_PARENT,
  ...BY_SLUG,
  ...BY_STATUS,
} as const satisfies ParameterTable;

/** The families of media as lists publish them. */
const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

/** `GET /wp/v2/media`. */
export const MEDIA_LIST = {
  ...LIST,
  ...OFFSET,
  ...orderOf('desc'),
  ...orderbyOf('date', ORDERS),
  ...BY_PARENT,
  ...BY_SLUG,
  status: {
    ...BY_STATUS.status,
    items: { type: 'string', enum: ['inherit', 'private', 'trash'] },
    default: 'inherit',
  },
  media_type: {
    type: 'string',
    description: 'Limit result set to attachments of a particular media type.',
    enum: MEDIA_TYPES,
    check: checkMediaType,
  },
  mime_type: { type: 'string', description: 'Limit result set to attachments of a particular MIME type.' },
} as const satisfies ParameterTable;

const DATED = {
  date: dateTime("The date the object was published, in the site's timezone."),
  date_gmt: dateTime('The date the object was published, as GMT.'),
  slug: { type: 'string', description: 'An alphanumeric identifier for the object unique to its type.' },
  status: { type: 'string', description: 'A named status for the object.', enum: WRITABLE_STATUSES, ofNull: 'draft' },
} as const satisfies ParameterTable;

const TITLE = {
  title: { type: 'object', description: 'The title for the object.', unchecked: true },
} as const satisfies ParameterTable;

const AUTHOR = {
  author: { type: 'integer', description: 'The ID for the author of the object.' },
} as const satisfies ParameterTable;

const DISCUSSED = {
  comment_status: {
    type: 'string',
    description: 'Whether or not comments are open on the object.',
    enum: OPEN_OR_CLOSED,
  },
  ping_status: { type: 'string', description: 'Whether or not the object can be pinged.', enum: OPEN_OR_CLOSED },
} as const satisfies ParameterTable;

const PASSWORD = {
  password: { type: 'string', description: 'A password to protect access to the content and excerpt.' },
} as const satisfies ParameterTable;

const TEXTS = {
  ...TITLE,
  content: { type: 'object', description: 'The content for the object.', unchecked: true },
  ...AUTHOR,
  excerpt: { type: 'object', description: 'The excerpt for the object.', unchecked: true },
  featured_media: { type: 'integer', description: 'The ID of the featured media for the object.' },
} as const satisfies ParameterTable;

/** Fields of media that can be written; texts are objects or strings; their resolver handles both. */
export const MEDIA_WRITE = written({
  ...DATED,
  ...TITLE,
  ...AUTHOR,
  ...DISCUSSED,
  ...META,
  template: templateOf([]),
  alt_text: {
    type: 'string',
    description: 'Alternative text to display when attachment is not displayed.',
    clean: 'text',
  },
  caption: { type: 'object', description: 'The attachment caption.', unchecked: true },
  description: { type: 'object', description: 'The attachment description.', unchecked: true },
  post: { type: 'integer', description: 'The ID for the associated post of the attachment.' },
});

/** `POST /wp/v2/posts`. */
export const POST_WRITE = written({
  ...DATED,
  ...PASSWORD,
  ...TEXTS,
  ...DISCUSSED,
  format: { type: 'string', description: 'The format for the object.', enum: POST_FORMATS },
  ...META,
  sticky: { type: 'boolean', description: 'Whether or not the object should be treated as sticky.' },
  template: templateOf(TEMPLATES),
  categories: { ...numbers('The terms assigned to the object in the category taxonomy.'), ofNull: [] },
  tags: { ...numbers('The terms assigned to the object in the post_tag taxonomy.'), ofNull: [] },
});

/** `POST /wp/v2/pages`. */
export const PAGE_WRITE = written({
  ...DATED,
  ...PASSWORD,
  parent: { type: 'integer', description: 'The ID for the parent of the object.' },
  ...TEXTS,
  ...DISCUSSED,
  menu_order: { type: 'integer', description: 'The order of the object in relation to other object of its type.' },
  ...META,
  template: templateOf(TEMPLATES),
});

/** `GET` of one post or page. */
export const ITEM_READ = {
  ...idOf(),
  ...CONTEXT,
  password: { type: 'string', description: 'The password for the post if it is password protected.' },
} as const satisfies ParameterTable;

/** `GET` of one of the media. */
export const MEDIA_READ = { ...idOf(), ...CONTEXT } as const satisfies ParameterTable;

/** `DELETE` of one post, page or attachment. */
export const ITEM_DELETE = {
  ...idOf(),
  ...forceOf('Whether to bypass trash and force deletion.'),
} as const satisfies ParameterTable;

function termFilter(items: 'that have' | 'except those that have', taxonomy: string) {
  return filterBy(`Limit result set to all items ${items} the specified term assigned in the ${taxonomy} taxonomy.`);
}

/** Accepts every status: only callers who may name statuses get errors about them, so the resolver checks. */
function checkedWithRights(): undefined {
  return undefined;
}

/** The parameter for one of some theme files; false values name none. */
function templateOf(templates: readonly string[]) {
  return {
    type: 'string',
    description: 'The theme file to use to display the object.',
    check: (value: unknown, name: string) =>
      !isTruthy(value) || templates.includes(value as string)
        ? undefined
        : `${name} is not one of ${templates.join(', ')}.`,
    convert: (value: unknown) => (isTruthy(value) ? value : ''),
  } as const;
}

/** The specification lists `font`, the reference `text`: both are accepted, and the reference's is published. */
function checkMediaType(value: unknown, name: string): string | undefined {
  const isKnown = value === 'font' || (MEDIA_TYPES as readonly unknown[]).includes(value);
  return isKnown ? undefined : `${name} is not one of ${MEDIA_TYPES.join(', ')}.`;
}
