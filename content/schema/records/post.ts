import { ObjectType } from 'type-graphql';

import { ContentField, ContentRecord, LinkField } from '../content-field.ts';
import { ContentItem } from './content-item.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
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

/** The templates that posts and pages may be shown with, beside none. */
export const TEMPLATES: readonly string[] = ['templates/wide.php'];

/** Fields that posts and pages share. */
@ObjectType({ simpleResolvers: true, description: 'What posts and pages share.' })
export class WrittenItem extends ContentItem {
  @ContentField(() => String, EDIT_ONLY, 'A password to protect access to the content and excerpt.')
  readonly password!: string;

  @ContentField(() => Content, NOT_EMBEDDED, 'The content for the object.')
  readonly content!: Content;

  @ContentField(() => Excerpt, ALWAYS, 'The excerpt for the object.')
  readonly excerpt!: Excerpt;

  @ContentField(() => Integer, ALWAYS, 'The ID of the featured media for the object.', { linked: true })
  readonly featured_media!: number;

  @LinkField(() => Integer, 'How many revisions there are of the object.')
  readonly revision_count!: number;

  @LinkField(() => Integer, 'Id of the last revision, 0 for none.')
  readonly last_revision!: number;
}

/** A post: an article with a date. */
@ContentRecord('post', 'An article with a date.')
export class Post extends WrittenItem {
  @ContentField(() => Boolean, NOT_EMBEDDED, 'Whether or not the object should be treated as sticky.')
  readonly sticky!: boolean;

  @ContentField(() => String, NOT_EMBEDDED, 'The format for the object.', { schema: { enum: POST_FORMATS } })
  readonly format!: string;

  @ContentField(() => [Integer], NOT_EMBEDDED, 'The terms assigned to the object in the category taxonomy.')
  readonly categories!: readonly number[];

  @ContentField(() => [Integer], NOT_EMBEDDED, 'The terms assigned to the object in the post_tag taxonomy.')
  readonly tags!: readonly number[];
}

/** A page: a text with a place among other pages. */
@ContentRecord('page', 'A text with a place among other pages.')
export class Page extends WrittenItem {
  @ContentField(() => Integer, NOT_EMBEDDED, 'The ID for the parent of the object.', { linked: true })
  readonly parent!: number;

  @ContentField(() => Integer, NOT_EMBEDDED, 'The order of the object in relation to other object of its type.')
  readonly menu_order!: number;
}
