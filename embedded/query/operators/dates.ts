import { MongoError, unsupported } from '../../bson/mongo-error.ts';
import { isDoc, typeOf } from '../../bson/value.ts';
import type { OptionalValue, Value } from '../../bson/value.ts';
import { instantOf } from './conversion.ts';
import { one } from './operator.ts';
import type { Operator, OperatorTable } from './operator.ts';

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
    if (!date) throw new MongoError('Location16006', `can't convert from BSON type ${typeOf(value)} to Date`);
    return apply(date);
  });
}

/** The date of the longer form `{ date, timezone }`. */
function dateArgument(argument: ReadonlyMap<string, Value>): OptionalValue {
  for (const [name, value] of argument) {
    if (name === 'timezone' && value !== 'UTC' && value !== 'GMT')
      throw unsupported('A time zone in a date expression');
    if (name !== 'date' && name !== 'timezone')
      throw new MongoError('BadValue', `unrecognized option to a date expression: "${name}"`);
  }
  return argument.get('date');
}
