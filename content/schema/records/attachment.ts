import { ObjectType } from 'type-graphql';

import { Untyped } from '../../../schema/untyped.ts';

import { ContentField, ContentRecord } from '../content-field.ts';
import { ContentItem } from './content-item.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
import type { Rendered } from '../rendered.ts';

/** What describes a media file at length. */
@ObjectType({ simpleResolvers: true, description: 'A description.' })
export class Description implements Rendered {
  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'Description for the object, as it exists in the database.',
  })
  readonly raw!: string;

  @ContentField(() => String, {
    in: NOT_EMBEDDED,
    description: 'HTML description for the object, transformed for display.',
    readonly: true,
  })
  readonly rendered!: string;
}

/** What stands below a media file. */
@ObjectType({ simpleResolvers: true, description: 'A caption.' })
export class Caption implements Rendered {
  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'Caption for the attachment, as it exists in the database.',
  })
  readonly raw!: string;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'HTML caption for the attachment, transformed for display.',
    readonly: true,
  })
  readonly rendered!: string;
}

/** A media file: an image, or anything else that was uploaded. */
@ContentRecord('attachment', 'A file that was uploaded.')
export class Attachment extends ContentItem {
  @ContentField(() => Description, { in: NOT_EMBEDDED, description: 'The attachment description.' })
  readonly description!: Description;

  @ContentField(() => Caption, { in: ALWAYS, description: 'The attachment caption.' })
  readonly caption!: Caption;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'Alternative text to display when attachment is not displayed.',
  })
  readonly alt_text!: string;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'Attachment type.',
    readonly: true,
    schema: { enum: ['image', 'file'] },
  })
  readonly media_type!: string;

  @ContentField(() => String, { in: ALWAYS, description: 'The attachment MIME type.', readonly: true })
  readonly mime_type!: string;

  @ContentField(() => Untyped, {
    in: ALWAYS,
    description: 'Details about the media file, specific to its type.',
    readonly: true,
  })
  readonly media_details!: Readonly<Record<string, unknown>>;

  @ContentField(() => Integer, {
    in: NOT_EMBEDDED,
    description: 'The ID for the associated post of the attachment.',
  })
  readonly post!: number | null;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'URL to the original attachment file.',
    readonly: true,
    schema: { format: 'uri' },
  })
  readonly source_url!: string;
}
