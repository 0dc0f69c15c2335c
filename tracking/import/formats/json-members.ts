/** Members of a JSON object that have not been checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns a value as an object; one without members if it is none. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** Returns a value as a list; an empty one if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
