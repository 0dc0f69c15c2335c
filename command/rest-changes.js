/**
 * Changes between two OpenAPI documents that break clients of the first: paths, parameters and members that are removed, required
 * newly, or of other types. New ones and new values of enums in responses break nobody; see docs/versioning.md.
 *
 * @module
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @typedef {Record<string, any>} Json an object of an OpenAPI document */

/**
 * Describes the changes that break clients, each in one sentence.
 *
 * @param {Json} before
 * @param {Json} now
 * @returns {string[]}
 */
export function breakingRestChanges(before, now) {
  const changes = [];
  for (const [path, item] of Object.entries(before.paths)) {
    for (const method of METHODS.filter((one) => item[one])) {
      const name = `${method.toUpperCase()} ${path}`;
      const other = now.paths[path]?.[method];
      if (!other) changes.push(`${name} was removed.`);
      else new Comparison(before, now, (change) => changes.push(`${name}: ${change}`)).compare(item[method], other);
    }
  }
  return [...new Set(changes)];
}

/** A comparison of an operation in two documents. */
class Comparison {
  /** @type {Set<string>} pairs of schemas that are being compared, which may contain themselves */
  #seen = new Set();

  /**
   * @param {Json} before
   * @param {Json} now
   * @param {(change: string) => void} report
   */
  constructor(before, now, report) {
    this.before = before;
    this.now = now;
    this.report = report;
  }

  /**
   * @param {Json} before
   * @param {Json} now
   */
  compare(before, now) {
    const [parameters, others] = [parametersOf(this.before, before), parametersOf(this.now, now)];
    for (const [name, { schema }] of parameters) {
      const other = others.get(name);
      if (!other) this.report(`${name} was removed.`);
      else this.#sent(schema, other.schema, name);
    }
    for (const [name, { required }] of others) {
      if (required && !parameters.get(name)?.required) this.report(`${name} is required.`);
    }
    this.#bodies(before.requestBody, now.requestBody);
    for (const [status, response] of Object.entries(before.responses).filter(([code]) => code.startsWith('2'))) {
      const other = resolved(this.now, now.responses[status]);
      if (!other) this.report(`the status ${status} was removed.`);
      else this.#contents(resolved(this.before, response), other);
    }
  }

  /**
   * @param {Json | undefined} before
   * @param {Json | undefined} now
   */
  #bodies(before, now) {
    if (now?.required && !before?.required) this.report('a body is required.');
    for (const [type, { schema }] of Object.entries(resolved(this.before, before)?.content ?? {})) {
      const other = resolved(this.now, now)?.content?.[type];
      if (!other) this.report(`a body of type ${type} is not accepted any more.`);
      else this.#sent(schema, other.schema, 'the body');
    }
  }

  /**
   * @param {Json} before
   * @param {Json} now
   */
  #contents(before, now) {
    for (const [type, { schema }] of Object.entries(before.content ?? {})) {
      const other = now.content?.[type];
      if (!other) this.report(`the response has no ${type} any more.`);
      else this.#received(schema, other.schema, 'the response');
    }
  }

  /**
   * Compares what clients send: it may only become wider.
   *
   * @param {Json} before
   * @param {Json} now
   * @param {string} at
   */
  #sent(before, now, at) {
    const [a, b] = [formOf(this.before, before), formOf(this.now, now)];
    if (this.#isSeen('sent', a, b)) return;
    for (const type of a.types) if (!accepts(b.types, type)) this.report(`${at} may not be ${type} any more.`);
    for (const value of a.values ?? []) {
      if (b.values && !b.values.includes(value)) this.report(`${at} may not be ${JSON.stringify(value)} any more.`);
    }
    for (const [name, member] of Object.entries(a.properties)) {
      if (!b.properties[name]) this.report(`${at} has no ${name} any more.`);
      else this.#sent(member, b.properties[name], `${name} of ${at}`);
    }
    for (const name of b.required) if (!a.required.includes(name)) this.report(`${name} of ${at} is required.`);
    if (a.items && b.items) this.#sent(a.items, b.items, `an element of ${at}`);
  }

  /**
   * Compares what clients receive: it may only become narrower.
   *
   * @param {Json} before
   * @param {Json} now
   * @param {string} at
   */
  #received(before, now, at) {
    const [a, b] = [formOf(this.before, before), formOf(this.now, now)];
    if (this.#isSeen('received', a, b)) return;
    for (const type of b.types) if (!accepts(a.types, type)) this.report(`${at} may be ${type}.`);
    for (const [name, member] of Object.entries(a.properties)) {
      if (!b.properties[name]) this.report(`${at} has no ${name} any more.`);
      else this.#received(member, b.properties[name], `${name} of ${at}`);
    }
    for (const name of a.required) {
      if (b.properties[name] && !b.required.includes(name)) this.report(`${name} of ${at} may be absent.`);
    }
    if (a.items && b.items) this.#received(a.items, b.items, `an element of ${at}`);
  }

  #isSeen(role, a, b) {
    const pair = a.name && b.name && `${role} ${a.name} ${b.name}`;
    if (pair && this.#seen.has(pair)) return true;
    if (pair) this.#seen.add(pair);
    return false;
  }
}

/** Returns true if one of the types includes another; none includes all. */
function accepts(types, type) {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** The form of a value: its types, its members if it is an object, its elements, its values if they are listed. */
function formOf(document, schema = {}) {
  const name = schema.$ref;
  const {
    anyOf,
    oneOf,
    allOf = [],
    type,
    enum: values,
    properties = {},
    required = [],
    items,
  } = resolved(document, schema);
  const form = {
    name,
    types: [type ?? []].flat(),
    values,
    properties: { ...properties },
    required: [...required],
    items,
  };
  for (const part of anyOf ?? oneOf ?? allOf) {
    const { types, ...other } = formOf(document, part);
    form.types.push(...types);
    form.name ??= other.name;
    form.values ??= other.values;
    form.items ??= other.items;
    Object.assign(form.properties, other.properties);
    form.required.push(...other.required);
  }
  return form;
}

/** The parameters of an operation by a name: `query size`. */
function parametersOf(document, { parameters = [] }) {
  const all = parameters.map((one) => resolved(document, one));
  return new Map(all.map((one) => [`the ${one.in} parameter ${one.name}`, one]));
}

/** The object that a reference names, or the object itself. */
function resolved(document, object) {
  const ref = object?.$ref;
  if (ref === undefined) return object;
  return ref
    .slice(2)
    .split('/')
    .reduce((found, part) => found[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
