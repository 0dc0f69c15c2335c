import { integer, LINK_ONLY, metaField, part, text, texts, type ValuesOf } from '../content-field.ts';
import { ALWAYS, NOT_EMBEDDED } from '../display-context.ts';
import { Guid, Title } from '../rendered.ts';

/** The statuses that a post or page may be given. */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** Values of a field that opens comments or pings. */
export const OPEN_OR_CLOSED = ['open', 'closed'] as const;

const DATE_TIME = { schema: { format: 'date-time' } } as const;
const STAMP = { readonly: true, ...DATE_TIME } as const;

/** The dates of a record that can be written. */
export const DATE_FIELDS = {
  date: text(ALWAYS, "The date the object was published, in the site's timezone.", DATE_TIME),
  date_gmt: text(NOT_EMBEDDED, 'The date the object was published, as GMT.', DATE_TIME),
};

/** Fields that posts, pages and attachments share. Specification: section D. */
export const ITEM_FIELDS = {
  id: integer(ALWAYS, 'Unique identifier for the object.', { readonly: true, linked: true }),
  ...DATE_FIELDS,
  guid: part(Guid, NOT_EMBEDDED, 'The globally unique identifier for the object.', { readonly: true }),
  modified: text(NOT_EMBEDDED, "The date the object was last modified, in the site's timezone.", STAMP),
  modified_gmt: text(NOT_EMBEDDED, 'The date the object was last modified, as GMT.', STAMP),
  slug: text(ALWAYS, 'An alphanumeric identifier for the object unique to its type.'),
  status: text(NOT_EMBEDDED, 'A named status for the object.', { schema: { enum: WRITABLE_STATUSES } }),
  type: text(ALWAYS, 'Type of Post for the object.', { readonly: true }),
  link: text(ALWAYS, 'URL to the object.', { readonly: true, linked: true, schema: { format: 'uri' } }),
  title: part(Title, ALWAYS, 'The title for the object.'),
  author: integer(ALWAYS, 'The ID for the author of the object.', { linked: true }),
  comment_status: text(NOT_EMBEDDED, 'Whether or not comments are open on the object.', {
    schema: { enum: OPEN_OR_CLOSED },
  }),
  ping_status: text(NOT_EMBEDDED, 'Whether or not the object can be pinged.', { schema: { enum: OPEN_OR_CLOSED } }),
  template: text(NOT_EMBEDDED, 'The theme file to use to display the object.'),
  meta: metaField(NOT_EMBEDDED),
  entity_tag: text([], 'Entity tag for editors.', LINK_ONLY),
  actions: texts([], 'Actions that the caller may take, as link relations.', LINK_ONLY),
};

/** Fields of an item that posts, pages and attachments share. */
export type ContentItem = ValuesOf<typeof ITEM_FIELDS>;
