import { ObjectType } from 'type-graphql';

import { ContentField } from './content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from './display-context.ts';

/** A text of the website's content: as it was written, and as it is shown. */
export interface Rendered {
  readonly raw: string;
  readonly rendered: string;
}

/** A text that a password may protect: its `rendered` is empty then, until the password is given. */
export interface ProtectedText extends Rendered {
  readonly protected: boolean;
}

/** The globally unique identifier of an object; it looks like an address and is none. */
@ObjectType({ simpleResolvers: true, description: 'A globally unique identifier.' })
export class Guid implements Rendered {
  @ContentField(() => String, NOT_EMBEDDED, 'GUID for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;

  @ContentField(() => String, EDIT_ONLY, 'GUID for the object, as it exists in the database.', { readonly: true })
  readonly raw!: string;
}

/** The title of a post, page or attachment. */
@ObjectType({ simpleResolvers: true, description: 'A title.' })
export class Title implements Rendered {
  @ContentField(() => String, EDIT_ONLY, 'Title for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, ALWAYS, 'HTML title for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;
}

/** The content of a post or page. */
@ObjectType({ simpleResolvers: true, description: 'A body of text.' })
export class Content implements ProtectedText {
  @ContentField(() => String, EDIT_ONLY, 'Content for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'HTML content for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;

  @ContentField(() => Boolean, ALWAYS, 'Whether the content is protected with a password.', { readonly: true })
  readonly protected!: boolean;
}

/** The excerpt of a post or page. */
@ObjectType({ simpleResolvers: true, description: 'A short text about a body of text.' })
export class Excerpt implements ProtectedText {
  @ContentField(() => String, EDIT_ONLY, 'Excerpt for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, ALWAYS, 'HTML excerpt for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;

  @ContentField(() => Boolean, ALWAYS, 'Whether the excerpt is protected with a password.', { readonly: true })
  readonly protected!: boolean;
}
