import {
  ADDRESS,
  contentRecord,
  type ContentField,
  integer,
  part,
  type RecordOf,
  text,
  untyped,
} from '../content-field.ts';
import { ITEM_FIELDS } from './content-item.ts';
import { ALWAYS, NOT_EMBEDDED } from '../display-context.ts';
import { renderedFields } from '../rendered.ts';

const Description = contentRecord(
  { name: 'Description' },
  'A description.',
  renderedFields('description', NOT_EMBEDDED),
);

const Caption = contentRecord({ name: 'Caption' }, 'A caption.', renderedFields('caption', ALWAYS, 'attachment'));

/** A media file: an image, or anything else that was uploaded. */
export const Attachment = contentRecord({ name: 'Attachment', title: 'attachment' }, 'A file that was uploaded.', {
  ...ITEM_FIELDS,
  description: part(Description, NOT_EMBEDDED, 'The attachment description.'),
  caption: part(Caption, ALWAYS, 'The attachment caption.'),
  alt_text: text(ALWAYS, 'Alternative text to display when attachment is not displayed.'),
  media_type: text(ALWAYS, 'Attachment type.', { readonly: true, schema: { enum: ['image', 'file'] } }),
  mime_type: text(ALWAYS, 'The attachment MIME type.', { readonly: true }),
  media_details: untyped<Readonly<Record<string, unknown>>>(
    ALWAYS,
    'Details about the media file, specific to its type.',
    { readonly: true },
  ),
  post: integer(NOT_EMBEDDED, 'The ID for the associated post of the attachment.') as ContentField<number | null>,
  source_url: text(ALWAYS, 'URL to the original attachment file.', ADDRESS),
});

/** Values of {@link Attachment}. */
export type Attachment = RecordOf<typeof Attachment>;
