import type { ParameterDefinition } from '../schema/parameter.ts';

import { listOf } from './check-parameter.ts';

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
