/** The scopes under which a request of the content interface is made; each decides which fields are shown. */
export const DISPLAY_CONTEXTS = ['view', 'embed', 'edit'] as const;

/** One of {@link DISPLAY_CONTEXTS}. */
export type DisplayContext = (typeof DISPLAY_CONTEXTS)[number];

/** Fields that are shown whatever the context. */
export const ALWAYS: readonly DisplayContext[] = ['view', 'edit', 'embed'];

/** Fields that are shown whatever the context, if the schema names them in another order. */
export const EMBEDDED_FIRST: readonly DisplayContext[] = ['embed', 'view', 'edit'];

/** Fields that what embeds an object does not need. */
export const NOT_EMBEDDED: readonly DisplayContext[] = ['view', 'edit'];

/** Fields for whoever may change the object. */
export const EDIT_ONLY: readonly DisplayContext[] = ['edit'];
