import { ContentError } from '../schema/content-error.ts';
import type { ParameterDefinition, ParameterTable } from '../schema/parameter.ts';

import { checkParameter, listOf } from './check-parameter.ts';

/** The parameters of a request, and their faults. */
interface ReadParameters {
  /** Valid ones converted; others as they came. */
  readonly values: Readonly<Record<string, unknown>>;
  /** `rest_missing_callback_param` or `rest_invalid_param`, naming all parameters at fault. */
  readonly fault: ContentError | undefined;
}

/**
 * Sets defaults, checks and converts the parameters of a request. Unknown parameters stay as they came, since permissions of
 * other methods of the path may read them. `null` counts as absent, except for a parameter that is `nullable`.
 */
export function readParameters(args: Readonly<Record<string, unknown>>, table: ParameterTable): ReadParameters {
  const present = Object.entries(args).filter(([name, value]) => value !== null || table[name]?.nullable);
  const values: Record<string, unknown> = Object.fromEntries(present);
  const missing: string[] = [];
  const faults: Record<string, string> = {};
  for (const [name, definition] of Object.entries(table)) {
    if (!Object.hasOwn(values, name)) {
      if (definition.default !== undefined) values[name] = definition.default;
      else if (definition.required) missing.push(name);
      continue;
    }
    if (values[name] === null) continue;
    const fault = checkParameter(values[name], definition, name);
    if (fault === undefined) values[name] = convertParameter(values[name], definition);
    else faults[name] = fault;
  }
  return { values, fault: faultOf(missing, faults) };
}

function faultOf(missing: readonly string[], faults: Readonly<Record<string, string>>): ContentError | undefined {
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`;
    return new ContentError('rest_missing_callback_param', message, 400, { params: missing });
  }
  const names = Object.keys(faults);
  if (names.length === 0) return undefined;
  const message = `Invalid parameter(s): ${names.join(', ')}`;
  return new ContentError('rest_invalid_param', message, 400, { params: faults });
}

/** Converts a checked value to the type of its definition. */
export function convertParameter(value: unknown, definition: ParameterDefinition): unknown {
  if (definition.unchecked || (definition.type === undefined && !definition.convert)) return value;
  if (definition.convert) return definition.convert(value);
  switch (definition.type) {
    case 'array': {
      // What names its members is an array in PHP, too, and a parameter that checks itself may let it through.
      const list = Object.values(Object(listOf(value)));
      return definition.items?.type === 'integer' ? list.map(toInteger) : list.map(String);
    }
    case 'integer':
      return definition.clean === 'whole' ? Math.abs(toInteger(value)) : toInteger(value);
    case 'boolean':
      return toBoolean(value);
    case 'string':
      return cleaned(String(value), definition);
    default:
      return value;
  }
}

/** PHP's `(int)`, as far as JavaScript can hold it. */
function toInteger(value: unknown): number {
  const number = typeof value === 'number' ? value : Number.parseFloat(String(value).trim());
  if (Number.isNaN(number)) return 0;
  return Math.trunc(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number))) + 0;
}

function toBoolean(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:false|0|)$/i.test(value);
  return Boolean(value);
}

function cleaned(text: string, { clean, format }: ParameterDefinition): string {
  if (clean === 'text' || format === 'date-time' || format === 'email') return oneLine(text);
  if (clean === 'key') return text.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  return text;
}

/** One line without tags and needless white space; the reference's `sanitize_text_field`. */
function oneLine(text: string): string {
  let line = text.includes('<') ? text.replace(/<[^>]*>?/g, '') : text;
  line = line.replace(/[\r\n\t ]+/g, ' ').trim();
  const withoutOctets = line.replace(/%[a-f0-9]{2}/gi, '');
  return withoutOctets === line ? line : withoutOctets.replace(/ +/g, ' ').trim();
}
