import { ObjectType } from 'type-graphql';

import { Untyped } from '../../../schema/untyped.ts';

import { ContentField, ContentRecord } from '../content-field.ts';
import { ContentItem } from './content-item.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
import type { Rendered } from '../rendered.ts';

/** Description of a media file. */
@ObjectType({ simpleResolvers: true, description: 'A description.' })
export class Description implements Rendered {
  @ContentField(() => String, EDIT_ONLY, 'Description for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'HTML description for the object, transformed for display.', {
    readonly: true,
  })
  readonly rendered!: string;
}

/** Caption of a media file. */
@ObjectType({ simpleResolvers: true, description: 'A caption.' })
export class Caption implements Rendered {
  @ContentField(() => String, EDIT_ONLY, 'Caption for the attachment, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, ALWAYS, 'HTML caption for the attachment, transformed for display.', { readonly: true })
  readonly rendered!: string;
}

/** A media file: an image, or anything else that was uploaded. */
@ContentRecord('attachment', 'A file that was uploaded.')
export class Attachment extends ContentItem {
  @ContentField(() => Description, NOT_EMBEDDED, 'The attachment description.')
  readonly description!: Description;

  @ContentField(() => Caption, ALWAYS, 'The attachment caption.')
  readonly caption!: Caption;

  @ContentField(() => String, ALWAYS, 'Alternative text to display when attachment is not displayed.')
  readonly alt_text!: string;

  @ContentField(() => String, ALWAYS, 'Attachment type.', { readonly: true, schema: { enum: ['image', 'file'] } })
  readonly media_type!: string;

  @ContentField(() => String, ALWAYS, 'The attachment MIME type.', { readonly: true })
  readonly mime_type!: string;

  @ContentField(() => Untyped, ALWAYS, 'Details about the media file, specific to its type.', { readonly: true })
  readonly media_details!: Readonly<Record<string, unknown>>;

  @ContentField(() => Integer, NOT_EMBEDDED, 'The ID for the associated post of the attachment.')
  readonly post!: number | null;

  @ContentField(() => String, ALWAYS, 'URL to the original attachment file.', {
    readonly: true,
    schema: { format: 'uri' },
  })
  readonly source_url!: string;
}
