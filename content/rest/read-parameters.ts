import { cleanUrl } from '../rendering/markup/clean-url.ts';
import { textField } from '../rendering/text-field.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParameterDefinition, ParameterTable } from '../schema/parameter.ts';
import { toInteger, toWholeNumber } from '../schema/php-values.ts';

import { checkParameter, listOf } from './check-parameter.ts';
import { parametersOf } from './content-request.ts';
import type { ParameterTree } from './php-query.ts';

/** The parameters of a request, and their errors. */
interface ReadParameters {
  /**
   * Valid ones converted, invalid ones as sent (all of them if the first stage finds an error); but an invalid id
   * in the path is cast to a number.
   */
  readonly values: Readonly<Record<string, unknown>>;
  /** `rest_missing_callback_param` or `rest_invalid_param`, naming all parameters at fault. */
  readonly fault: ContentError | undefined;
}

/** Faults by the names of their parameters. */
type Faults = Readonly<Record<string, string>>;

/**
 * Sets defaults, checks and converts the parameters of a request. Unknown parameters stay as sent, since permissions of
 * other methods of the path may read them. As in the reference, parameters are checked in two stages, of which the second
 * follows only if the first finds nothing: first the values in force of those that are `checkedFirst`, then each value
 * of the others, even `null` and what another source overrides.
 *
 * @param sources places that give parameters, the first of which overrides the others; the last is the path
 */
export function readParameters(sources: readonly ParameterTree[], table: ParameterTable): ReadParameters {
  const given = parametersOf(sources);
  const present = Object.entries(given).filter(([name, value]) => value !== null || table[name]?.nullable);
  const values: Record<string, unknown> = Object.fromEntries(present);
  const early = earlyFaults(values, table);
  const late = lateFaults(sources, table);
  const inPath = sources.at(-1) ?? {};
  const missing = missingFrom(values, table);
  const isFaulty = (name: string) => missing.length > 0 || Object.keys(early).length > 0 || late[name] !== undefined;
  for (const [name, definition] of Object.entries(table)) {
    if (!Object.hasOwn(values, name)) {
      const fallback = given[name] === null ? (definition.ofNull ?? definition.default) : definition.default;
      if (fallback !== undefined) values[name] = fallback;
    } else if (values[name] !== null) {
      if (!isFaulty(name)) values[name] = convertParameter(values[name], definition);
      else if (definition.type === 'integer' && Object.hasOwn(inPath, name)) values[name] = toInteger(values[name]);
    }
  }
  return { values, fault: missingFault(missing) ?? faultOf(early) ?? faultOf(late) };
}

/** Names the missing required parameters of a request. */
function missingFrom(values: Readonly<Record<string, unknown>>, table: ParameterTable): readonly string[] {
  const isMissing = ([name, definition]: [string, ParameterDefinition]) =>
    definition.required && definition.default === undefined && !Object.hasOwn(values, name);
  return Object.entries(table)
    .filter(isMissing)
    .map(([name]) => name);
}

/** Errors of the first stage, in the order of the table. */
function earlyFaults(values: Readonly<Record<string, unknown>>, table: ParameterTable): Faults {
  const faults: Record<string, string> = {};
  for (const [name, definition] of Object.entries(table)) {
    const value = values[name] ?? null;
    if (!definition.checkedFirst || value === null) continue;
    const fault = checkParameter(value, definition, name);
    if (fault !== undefined) faults[name] = fault;
  }
  return faults;
}

/** Errors of the second stage, in the order of the request. */
function lateFaults(sources: readonly ParameterTree[], table: ParameterTable): Faults {
  const faults: Record<string, string> = {};
  for (const [name, value] of sources.flatMap((source) => Object.entries(source))) {
    const definition = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!definition) continue;
    const { checkedFirst, checkLater, nullable } = definition;
    if (value === null && nullable) continue;
    const fault = checkedFirst ? checkLater?.(value ?? '') : checkParameter(value, definition, name);
    if (fault !== undefined) faults[name] = fault;
  }
  return faults;
}

function missingFault(missing: readonly string[]): ContentError | undefined {
  if (missing.length === 0) return undefined;
  const message = `Missing parameter(s): ${missing.join(', ')}`;
  return new ContentError('rest_missing_callback_param', message, 400, { params: missing });
}

function faultOf(faults: Faults): ContentError | undefined {
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
      // Named members are an array in PHP as well, and a parameter with its own check may accept them.
      const list = Object.values(Object(listOf(value)));
      return definition.items?.type === 'integer' ? list.map(toInteger) : list.map(String);
    }
    case 'integer':
      return definition.clean === 'whole' ? toWholeNumber(value) : toInteger(value);
    case 'boolean':
      return toBoolean(value);
    case 'string':
      return cleaned(String(value), definition);
    default:
      return value;
  }
}

function toBoolean(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:false|0|)$/i.test(value);
  return Boolean(value);
}

function cleaned(text: string, { clean, format }: ParameterDefinition): string {
  if (clean === 'text' || format === 'date-time' || format === 'email') return textField(text);
  if (format === 'uri') return cleanUrl(text, 'stored');
  if (clean === 'key') return text.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  return text;
}
