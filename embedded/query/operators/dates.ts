import { check, unsupported } from '../../bson/mongo-error.ts';
import { isDoc, typeOf, type OptionalValue, type Value } from '../../bson/value.ts';
import { instantOf } from './conversion.ts';
import { one, type Operator, type OperatorTable } from './operator.ts';

/** The operators that take a date apart, in UTC. */
export const DATES: OperatorTable = {
  $year: part((date) => date.getUTCFullYear()),
  $month: part((date) => date.getUTCMonth() + 1),
  $dayOfMonth: part((date) => date.getUTCDate()),
  $dayOfWeek: part((date) => date.getUTCDay() + 1),
  $dayOfYear: part((date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1),
  $hour: part((date) => date.getUTCHours()),
  $minute: part((date) => date.getUTCMinutes()),
  $second: part((date) => date.getUTCSeconds()),
  $millisecond: part((date) => date.getUTCMilliseconds()),
};

function part(apply: (date: Date) => number): Operator {
  return one((argument) => {
    const value = isDoc(argument) ? dateArgument(argument) : argument;
    if (value === undefined || value === null) return null;
    const date = instantOf(value);
    check(date, 'Location16006', `can't convert from BSON type ${typeOf(value)} to Date`);
    return apply(date);
  });
}

/** The date of the longer form `{ date, timezone }`. */
function dateArgument(argument: ReadonlyMap<string, Value>): OptionalValue {
  for (const [name, value] of argument) {
    if (name === 'timezone' && value !== 'UTC' && value !== 'GMT')
      throw unsupported('A time zone in a date expression');
    check(['date', 'timezone'].includes(name), 'BadValue', `unrecognized option to a date expression: "${name}"`);
  }
  return argument.get('date');
}
