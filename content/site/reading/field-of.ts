/** The value of a field of a view, worked out where it is costly. */
export async function fieldOf<T>(field: T | (() => T | Promise<T>)): Promise<T> {
  return field instanceof Function ? field() : field;
}
