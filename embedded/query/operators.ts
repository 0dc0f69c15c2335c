import { ARITHMETIC } from './operators/arithmetic.ts';
import { ARRAYS } from './operators/arrays.ts';
import { COMPARISON } from './operators/comparison.ts';
import { CONVERSION } from './operators/conversion.ts';
import { DATES } from './operators/dates.ts';
import { OBJECTS } from './operators/objects.ts';
import type { Operator } from './operators/operator.ts';
import { STRINGS } from './operators/strings.ts';

/** The expression operators by name. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ ...ARITHMETIC, ...COMPARISON, ...ARRAYS, ...OBJECTS, ...STRINGS, ...CONVERSION, ...DATES }),
);
