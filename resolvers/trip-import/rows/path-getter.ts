import type { ColumnField, ReadOptions } from './read-options.ts';
import { type Getter, USUAL_NAMES } from './row-reader.ts';

/** Makes the getter of a path such as `position.coordinates.0`; a member of that very name comes first. */
export function pathGetter(path: string): Getter<object> {
  if (!path.includes('.')) return (row) => memberOf(row, path);
  const steps = path.split('.');
  return (row) => memberOf(row, path) ?? steps.reduce<unknown>(memberOf, row);
}

/** The getters of the fields that the options map, and of those that have a usual name. */
export function pathGetters({ columns = {}, speedUnit }: ReadOptions): Partial<Record<ColumnField, Getter<object>>> {
  const getters: Partial<Record<ColumnField, Getter<object>>> = {};
  const usual = { ...USUAL_NAMES, ...(speedUnit ? { speed: ['speed'] } : {}) };
  for (const [field, names] of Object.entries(usual) as [ColumnField, readonly string[]][]) {
    getters[field] = anyOf(names);
  }
  for (const [field, path] of Object.entries(columns) as [ColumnField, string][]) getters[field] = pathGetter(path);
  return getters;
}

function anyOf(names: readonly string[]): Getter<object> {
  return (row) => {
    for (const name of names) {
      const value = memberOf(row, name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
