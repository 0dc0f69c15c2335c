import mongoose, { type Query, type Schema, type SchemaType } from 'mongoose';

/** Defaults of fields that an older program may not have stored: values by name, and those of sub-documents. */
interface Defaults {
  readonly values: readonly (readonly [name: string, value: unknown])[];
  readonly nested: readonly (readonly [name: string, defaults: Defaults])[];
}

type Fields = Readonly<Record<string, unknown>>;
type Stored = Record<string, unknown>;

const QUERIES = ['find', 'findOne', 'findOneAndDelete', 'findOneAndReplace', 'findOneAndUpdate'] as const;
const EVERY_FIELD = () => true;

/**
 * Gives lean documents the defaults of the fields that they lack, as if they had been stored with them; fields that a
 * projection omits stay absent, and a default that is a function, such as the time of creation, is for new
 * documents.
 */
export function fillDefaultsOnRead(schema: Schema): void {
  schema.post([...QUERIES], function (this: Query<unknown, unknown>, found: unknown) {
    if (found && this.mongooseOptions().lean)
      fillDefaults(schema, found, this.projection() as Fields | null | undefined);
  });
}

/** Gives documents of an aggregation, read with these fields or all, the defaults of the fields that they lack. */
export function fillDefaults(schema: Schema, found: unknown, fields?: Fields | null): void {
  const known = knownDefaults.get(schema) ?? { byText: new Map(), byProjection: new WeakMap() };
  knownDefaults.set(schema, known);
  const projection = fields ?? NO_PROJECTION;
  const defaults = known.byProjection.get(projection) ?? defaultsByText(schema, known.byText, projection);
  known.byProjection.set(projection, defaults);
  fill(defaults, found);
}

function defaultsByText(schema: Schema, known: Map<string, Defaults>, projection: Fields): Defaults {
  const text = JSON.stringify(projection);
  const defaults = known.get(text) ?? defaultsOf(schema, text === '{}' ? EVERY_FIELD : isReturned(projection));
  known.set(text, defaults);
  return defaults;
}

const NO_PROJECTION: Fields = {};

/** Defaults by schema and projection, of which the sources write few: finding them walks through all paths of a schema. */
/** Defaults by the text of a projection, and by the object if the same one is passed again, which needs no text. */
const knownDefaults = new WeakMap<Schema, { byText: Map<string, Defaults>; byProjection: WeakMap<Fields, Defaults> }>();

// Every model of this folder is made with the options of `collection-options.ts`, which imports this.
mongoose.plugin(fillDefaultsOnRead);

function fill(defaults: Defaults, found: unknown): void {
  if (Array.isArray(found)) {
    for (const one of found) fill(defaults, one);
    return;
  }
  if (typeof found !== 'object' || found === null) return;
  const stored = found as Stored;
  for (const [name, value] of defaults.values) {
    if (stored[name] === undefined) {
      stored[name] = Array.isArray(value) && value.length === 0 ? [] : structuredClone(value);
    }
  }
  for (const [name, inner] of defaults.nested) fill(inner, stored[name]);
}

/** Reads the defaults of a schema's paths as far as they are returned. */
function defaultsOf(schema: Schema, returns: (path: string) => boolean, prefix = ''): Defaults {
  const values: (readonly [string, unknown])[] = [];
  const nested: (readonly [string, Defaults])[] = [];
  schema.eachPath((name, type) => {
    const value = defaultOf(type);
    if (value !== undefined && returns(prefix + name)) values.push([name, value]);
    const inner = (type as { readonly schema?: Schema }).schema;
    if (!inner) return;
    const defaults = defaultsOf(inner, returns, `${prefix}${name}.`);
    if (defaults.values.length + defaults.nested.length > 0) nested.push([name, defaults]);
  });
  return { values, nested };
}

function defaultOf({ options, instance }: SchemaType): unknown {
  const given = options as { readonly default?: unknown };
  if (!('default' in given)) return instance === 'Array' ? [] : undefined;
  if (typeof given.default !== 'function') return given.default;
  // Mongoose turns the default `{}` of such a path into a function.
  return instance === 'Mixed' ? given.default() : undefined;
}

/** Returns for each path whether a projection returns all of it. */
function isReturned(fields: Fields): (path: string) => boolean {
  const names = Object.keys(fields).filter((name) => name !== '_id');
  const isInclusive = (names.length === 0 ? ['_id'] : names).some(
    (name) => fields[name] === 1 || fields[name] === true,
  );
  return (path) => names.some((name) => path === name || path.startsWith(`${name}.`)) === isInclusive;
}
