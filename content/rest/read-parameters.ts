import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import { checkParameter } from './check-parameter.ts';
import { convertParameter } from './convert-parameter.ts';

/** Parameters that have been read, and what is wrong with them, if anything is. */
export interface ReadParameters {
  /** Those that are right, converted; others as they came. */
  readonly values: Readonly<Record<string, unknown>>;
  /** `rest_missing_callback_param` or `rest_invalid_param`, naming all parameters at fault. */
  readonly fault: ContentError | undefined;
}

/**
 * Sets defaults, checks and converts the parameters of a request. What the table does not know is kept as it came:
 * permissions of other methods of the path may look at it. `null` counts as not given, but for what is `nullable`.
 */
export function readParameters(given: Readonly<Record<string, unknown>>, table: ParameterTable): ReadParameters {
  const present = Object.entries(given).filter(([name, value]) => value !== null || table[name]?.nullable);
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
