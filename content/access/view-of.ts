/** A record as a resolver hands it to GraphQL: what is costly is a function, and so only worked out where it is asked for. */
export type ViewOf<R> = { readonly [K in keyof R]: R[K] | (() => R[K] | Promise<R[K]>) };
