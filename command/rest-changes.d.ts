/** Describes the changes between two OpenAPI documents that break clients of the first, each in one sentence. */
export function breakingRestChanges(before: object, now: object): string[];
