/** The scopes under which a request of the content interface is made; each determines which fields are shown. */
export const DISPLAY_CONTEXTS = ['view', 'embed', 'edit'] as const;

/** One of {@link DISPLAY_CONTEXTS}. */
export type DisplayContext = (typeof DISPLAY_CONTEXTS)[number];

/** Fields that are shown in every context. */
export const ALWAYS: readonly DisplayContext[] = ['view', 'edit', 'embed'];

/** Fields that are shown in every context, for schemas that name them in another order. */
export const EMBEDDED_FIRST: readonly DisplayContext[] = ['embed', 'view', 'edit'];

/** Fields that are not needed if the object is embedded. */
export const NOT_EMBEDDED: readonly DisplayContext[] = ['view', 'edit'];

/** Fields for callers who may change the object. */
export const EDIT_ONLY: readonly DisplayContext[] = ['edit'];
