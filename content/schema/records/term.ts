import { ADDRESS, contentRecord, integer, metaField, type RecordOf, text } from '../content-field.ts';
import { DISPLAY_CONTEXTS, NOT_EMBEDDED } from '../display-context.ts';

/** Fields that categories and tags share. Specification: section D. */
const TERM_FIELDS = {
  id: integer(DISPLAY_CONTEXTS, 'Unique identifier for the term.', { readonly: true, linked: true }),
  count: integer(NOT_EMBEDDED, 'Number of published posts for the term.', { readonly: true }),
  description: text(NOT_EMBEDDED, 'HTML description of the term.'),
  link: text(DISPLAY_CONTEXTS, 'URL of the term.', ADDRESS),
  name: text(DISPLAY_CONTEXTS, 'HTML title for the term.', { schema: { required: true } }),
  slug: text(DISPLAY_CONTEXTS, 'An alphanumeric identifier for the term unique to its type.'),
  taxonomy: text(DISPLAY_CONTEXTS, 'Type attribution for the term.', {
    readonly: true,
    schema: { enum: ['category', 'post_tag', 'nav_menu', 'link_category', 'post_format'] },
  }),
  meta: metaField(NOT_EMBEDDED),
};

/** A category: terms that form a tree. */
export const Category = contentRecord({ name: 'Category', title: 'category' }, 'A category of posts.', {
  ...TERM_FIELDS,
  parent: integer(NOT_EMBEDDED, 'The parent term ID.', { linked: true }),
});

/** Values of {@link Category}. */
export type Category = RecordOf<typeof Category>;

/** A tag. */
export const Tag = contentRecord({ name: 'Tag', title: 'tag' }, 'A tag of posts.', TERM_FIELDS);
