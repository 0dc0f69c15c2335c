import { contentRecord, flag, integer, integers, LINK_ONLY, part, type RecordOf, text } from '../content-field.ts';
import { ITEM_FIELDS } from './content-item.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Content, Excerpt } from '../rendered.ts';

/** The formats that a post may have. */
export const POST_FORMATS = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;

/** The templates of posts and pages. */
export const TEMPLATES: readonly string[] = ['templates/wide.php'];

/** Fields that posts and pages share. */
export const WRITTEN_ITEM_FIELDS = {
  ...ITEM_FIELDS,
  password: text(EDIT_ONLY, 'A password to protect access to the content and excerpt.'),
  content: part(Content, NOT_EMBEDDED, 'The content for the object.'),
  excerpt: part(Excerpt, ALWAYS, 'The excerpt for the object.'),
  featured_media: integer(ALWAYS, 'The ID of the featured media for the object.', { linked: true }),
  revision_count: integer([], 'Number of revisions of the object.', LINK_ONLY),
  last_revision: integer([], 'Id of the last revision, 0 for none.', LINK_ONLY),
};

/** A post: an article with a date. */
export const Post = contentRecord({ name: 'Post', title: 'post' }, 'An article with a date.', {
  ...WRITTEN_ITEM_FIELDS,
  sticky: flag(NOT_EMBEDDED, 'Whether or not the object should be treated as sticky.'),
  format: text(NOT_EMBEDDED, 'The format for the object.', { schema: { enum: POST_FORMATS } }),
  categories: integers(NOT_EMBEDDED, 'The terms assigned to the object in the category taxonomy.'),
  tags: integers(NOT_EMBEDDED, 'The terms assigned to the object in the post_tag taxonomy.'),
});

/** Values of {@link Post}. */
export type Post = RecordOf<typeof Post>;

/** A page: a text in the hierarchy of pages. */
export const Page = contentRecord(
  { name: 'Page', title: 'page' },
  'A page of the website, below another page or at the top.',
  {
    ...WRITTEN_ITEM_FIELDS,
    parent: integer(NOT_EMBEDDED, 'The ID for the parent of the object.', { linked: true }),
    menu_order: integer(NOT_EMBEDDED, 'The order of the object in relation to other object of its type.'),
  },
);

/** Values of {@link Page}. */
export type Page = RecordOf<typeof Page>;
