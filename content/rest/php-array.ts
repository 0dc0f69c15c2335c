/**
 * Prototype of what clients send as named members: it has no names of its own, and as text it is PHP's word for any
 * array. Without it, members named `toString` could make a conversion throw, and members without any prototype always do.
 */
const PHP_ARRAY: object = Object.freeze(
  Object.create(null, { [Symbol.toPrimitive]: { value: (hint: string) => (hint === 'number' ? 1 : 'Array') } }),
);

/** An object without members, for names and values of a client. */
export function newPhpArray(): Record<string, unknown> {
  return Object.create(PHP_ARRAY) as Record<string, unknown>;
}

/** A value of JSON, as `JSON.parse` hands it to a reviver: objects become what {@link newPhpArray} makes. */
export function asPhpArray(_name: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (Object.setPrototypeOf(value, PHP_ARRAY) as object) : value;
}
