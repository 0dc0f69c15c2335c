import { ContentError } from '../../schema/content/content-error.ts';
import type { ParameterTable } from '../../schema/content/parameter.ts';

import { checkParameter } from './check-parameter.ts';
import { convertParameter } from './convert-parameter.ts';

/**
 * Sets defaults, checks and converts the parameters of a request. What the table does not know is kept as it came:
 * permissions of other methods of the path may look at it. `null` counts as not given, but for what is `nullable`.
 *
 * @throws ContentError `rest_missing_callback_param` or `rest_invalid_param`, naming all parameters at fault
 */
export function readParameters(
  given: Readonly<Record<string, unknown>>,
  table: ParameterTable,
): Record<string, unknown> {
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
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`;
    throw new ContentError('rest_missing_callback_param', message, 400, { params: missing });
  }
  const names = Object.keys(faults);
  if (names.length > 0) {
    throw new ContentError('rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, 400, { params: faults });
  }
  return values;
}
