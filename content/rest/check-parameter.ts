import { isIP } from 'node:net';

import { isContentDate } from '../schema/content-date.ts';
import { isEmail } from '../schema/email.ts';
import type { ItemsDefinition, ParameterDefinition } from '../schema/parameter.ts';
import { isNumeric } from '../schema/php-values.ts';

/** A definition, or that of the members of a list. */
type Checked = ParameterDefinition | ItemsDefinition;

/** Returns the error message for a value of the parameter `name`; undefined if it is valid. */
export function checkParameter(value: unknown, definition: ParameterDefinition, name: string): string | undefined {
  if (definition.unchecked) return undefined;
  if (definition.check) return definition.check(value, name);
  return checkValue(value, definition, name);
}

function checkValue(input: unknown, definition: Checked, name: string): string | undefined {
  const value = definition.type === 'array' ? listOf(input) : input;
  const wrongType = `${name} is not of type ${definition.type}.`;
  if (definition.type === 'array') {
    if (!Array.isArray(value)) return wrongType;
    return definition.items ? firstFault(value, definition.items, name) : undefined;
  }
  if (definition.type === 'object' && (typeof value !== 'object' || value === null)) return wrongType;
  if (definition.enum && !definition.enum.includes(value as string)) {
    return `${name} is not one of ${definition.enum.join(', ')}.`;
  }
  if (definition.type === 'integer' && !isInteger(value)) return wrongType;
  if (definition.type === 'boolean' && !isBoolean(value)) return `${printed(value)} is not of type boolean.`;
  if (definition.type === 'string' && typeof value !== 'string') return wrongType;
  return checkFormat(value, definition) ?? checkBounds(Number(value), definition, name);
}

function firstFault(values: readonly unknown[], items: ItemsDefinition, name: string): string | undefined {
  for (const [at, member] of values.entries()) {
    const fault = checkValue(member, items, `${name}[${at}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkFormat(value: unknown, definition: Checked): string | undefined {
  const format = 'format' in definition ? definition.format : undefined;
  if (format === 'date-time' && !isContentDate(String(value))) return 'Invalid date.';
  if (format === 'email' && !isEmail(String(value))) return 'Invalid email address.';
  if (format === 'ip' && isIP(String(value)) === 0) return `${printed(value)} is not a valid IP address.`;
  return undefined;
}

function checkBounds(value: number, definition: Checked, name: string): string | undefined {
  if (!('minimum' in definition) || definition.minimum === undefined) return undefined;
  const { minimum, maximum } = definition;
  if (maximum === undefined) return value < minimum ? `${name} must be greater than or equal to ${minimum}` : undefined;
  return value < minimum || value > maximum
    ? `${name} must be between ${minimum} (inclusive) and ${maximum} (inclusive)`
    : undefined;
}

/** Reads a parameter of the type `array`: a text is split at commas and white space. */
export function listOf(value: unknown): unknown {
  return typeof value === 'object' ? value : printed(value).split(/[\s,]+/);
}

/** Returns true if PHP accepts a value as a whole number: a number, or numeric text. */
function isInteger(value: unknown): boolean {
  return isNumeric(value) && Number.isInteger(Number(value));
}

/** Returns true if a value counts as true or false: the words, the digits, or the values themselves. */
function isBoolean(value: unknown): boolean {
  if (typeof value === 'boolean' || value === 0 || value === 1) return true;
  return typeof value === 'string' && /^(?:true|false|0|1)$/i.test(value);
}

function printed(value: unknown): string {
  if (value === true) return '1';
  if (value === false) return '';
  return typeof value === 'object' ? 'Array' : String(value);
}
