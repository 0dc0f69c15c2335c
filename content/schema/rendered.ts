import { contentRecord, flag, text } from './content-field.ts';
import { ALWAYS, type DisplayContext, EDIT_ONLY, NOT_EMBEDDED } from './display-context.ts';

/**
 * Fields of a text of the website's content: as it was written, and as it is shown.
 *
 * @param contexts of the rendered text
 * @param owner the type that has the text
 */
export function renderedFields(noun: string, contexts: readonly DisplayContext[], owner = 'object') {
  const Noun = noun.charAt(0).toUpperCase() + noun.slice(1);
  return {
    raw: text(EDIT_ONLY, `${Noun} for the ${owner}, as it exists in the database.`),
    rendered: text(contexts, `HTML ${noun} for the ${owner}, transformed for display.`, { readonly: true }),
  };
}

/** Fields of a text that a password may protect: its `rendered` is empty then, until the password is given. */
function protectedFields(noun: string, contexts: readonly DisplayContext[]) {
  const description = `Whether the ${noun} is protected with a password.`;
  return { ...renderedFields(noun, contexts), protected: flag(ALWAYS, description, { readonly: true }) };
}

/** The globally unique identifier of an object; it looks like an address, but is not one. */
export const Guid = contentRecord({ name: 'Guid' }, 'A globally unique identifier.', {
  rendered: text(NOT_EMBEDDED, 'GUID for the object, transformed for display.', { readonly: true }),
  raw: text(EDIT_ONLY, 'GUID for the object, as it exists in the database.', { readonly: true }),
});

/** The title of a post, page or attachment. */
export const Title = contentRecord({ name: 'Title' }, 'A title.', renderedFields('title', ALWAYS));

/** The content of a post or page. */
export const Content = contentRecord({ name: 'Content' }, 'A body of text.', protectedFields('content', NOT_EMBEDDED));

/** The excerpt of a post or page. */
export const Excerpt = contentRecord(
  { name: 'Excerpt' },
  'A short text about a body of text.',
  protectedFields('excerpt', ALWAYS),
);
