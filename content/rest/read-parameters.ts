import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import { checkParameter } from './check-parameter.ts';
import { convertParameter } from './convert-parameter.ts';

/** The parameters of a request, and their faults. */
export interface ReadParameters {
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
