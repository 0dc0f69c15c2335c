/** A part of an OpenAPI document, or of a JSON Schema in it. */
interface Part {
  readonly [name: string]: unknown;
}

/** A parameter of an operation. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Part;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Part }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response>>;
}

/** As much of an OpenAPI document as clients depend on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * Finds the changes of an OpenAPI document that break clients: what they send is no longer accepted, or what they read is no
 * longer there. Values are added to enums of responses without notice.
 *
 * @returns a sentence each
 */
export function breakingApiChanges(before: ApiDocument, now: ApiDocument): string[] {
  const comparison = new Comparison(before, now);
  for (const [path, operations] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      comparison.compare(`${method.toUpperCase()} ${path}`, operation, now.paths[path]?.[method]);
    }
  }
  return [...comparison.changes];
}

class Comparison {
  readonly changes = new Set<string>();
  readonly #before: ApiDocument;
  readonly #now: ApiDocument;
  /** Schemas that have been compared, some of which are recursive. */
  readonly #compared = new Set<string>();

  constructor(before: ApiDocument, now: ApiDocument) {
    this.#before = before;
    this.#now = now;
  }

  compare(place: string, before: Operation, now: Operation | undefined): void {
    if (!now) return void this.changes.add(`${place} was removed.`);
    this.#compareParameters(place, before, now);
    const [sent, accepted] = [before, now].map(({ requestBody }) => requestBody?.content?.['application/json']?.schema);
    if (sent && accepted) this.#compareSent(`${place} body`, sent, accepted);
    for (const [status, { content = {} }] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue;
      if (!now.responses[status]) this.changes.add(`${place}: the status ${status} was removed.`);
      for (const [type, { schema }] of Object.entries(content)) {
        const other = now.responses[status]?.content?.[type]?.schema;
        if (other) this.#compareRead(`${place} response`, schema, other);
        else this.changes.add(`${place}: the response as ${type} was removed.`);
      }
    }
  }

  #compareParameters(place: string, before: Operation, now: Operation): void {
    const [old, current] = [before, now].map(
      ({ parameters = [] }) => new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])),
    );
    for (const [name, { schema }] of old ?? []) {
      const other = current?.get(name);
      if (other) this.#compareSent(`${place} ${name}`, schema, other.schema);
      else this.changes.add(`${place}: the parameter ${name} was removed.`);
    }
    for (const [name, { required }] of current ?? []) {
      if (required && !old?.get(name)?.required) this.changes.add(`${place}: the parameter ${name} became required.`);
    }
  }

  /** What clients send must still be accepted. */
  #compareSent(place: string, before: Part, now: Part): void {
    if (this.#isCompared(['sent', before, now])) return;
    const [old, current] = [schemaOf(this.#before, before), schemaOf(this.#now, now)];
    for (const type of missing(old.types, current.types)) this.changes.add(`${place}: ${type} is no longer accepted.`);
    for (const value of current.values ? missing(old.values ?? [], current.values) : []) {
      this.changes.add(`${place}: ${value} is no longer accepted.`);
    }
    for (const name of missing(current.required, ['', ...old.required])) {
      this.changes.add(`${place}: ${name} became required.`);
    }
    for (const [name, schema] of Object.entries(old.properties)) {
      const other = current.properties[name];
      if (other) this.#compareSent(`${place}.${name}`, schema, other);
      else this.changes.add(`${place}: ${name} is no longer accepted.`);
    }
    if (old.items && current.items) this.#compareSent(`${place}[]`, old.items, current.items);
  }

  /** What clients read must still be there, with no other type. */
  #compareRead(place: string, before: Part, now: Part): void {
    if (this.#isCompared(['read', before, now])) return;
    const [old, current] = [schemaOf(this.#before, before), schemaOf(this.#now, now)];
    for (const type of missing(current.types, old.types)) this.changes.add(`${place}: may be ${type}.`);
    for (const [name, schema] of Object.entries(old.properties)) {
      const other = current.properties[name];
      if (!other) this.changes.add(`${place}: ${name} was removed.`);
      else this.#compareRead(`${place}.${name}`, schema, other);
      const mayBeAbsent = other && old.required.includes(name) && !current.required.includes(name);
      if (mayBeAbsent) this.changes.add(`${place}: ${name} may be absent.`);
    }
    if (old.items && current.items) this.#compareRead(`${place}[]`, old.items, current.items);
  }

  #isCompared(schemas: readonly unknown[]): boolean {
    const name = JSON.stringify(schemas);
    const isCompared = this.#compared.has(name);
    this.#compared.add(name);
    return isCompared;
  }
}

/** A schema without references: the types and members of all its alternatives. */
interface ResolvedSchema {
  readonly types: readonly string[];
  readonly values: readonly string[] | undefined;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Part>>;
  readonly items: Part | undefined;
}

/** A schema as documents write it. */
interface WrittenSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly WrittenSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
}

function schemaOf(document: ApiDocument, schema: WrittenSchema): ResolvedSchema {
  const all = alternatives(document, schema);
  return {
    types: all.flatMap(({ type = [] }) => type),
    values: all.find((one) => one.enum)?.enum,
    required: all.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    items: all.find(({ items }) => items)?.items,
  };
}

function alternatives(document: ApiDocument, { $ref, anyOf, ...schema }: WrittenSchema): readonly WrittenSchema[] {
  if (anyOf) return anyOf.flatMap((one) => alternatives(document, one));
  if ($ref === undefined) return [schema];
  const path = $ref.slice('#/'.length).split('/');
  const target = path.reduce((part: unknown, name) => (part as Part)[name], document);
  return alternatives(document, target as WrittenSchema);
}

/** Values that are not among others; an empty list has each value, and every integer is a number. */
function missing(values: readonly string[], among: readonly string[]): string[] {
  if (among.length === 0) return [];
  const all = values.length === 0 && among.length > 0 ? [] : values;
  return all.filter((value) => !among.includes(value) && !(value === 'integer' && among.includes('number')));
}
