import type { OptionalValue, Value } from '../../bson/value.ts';
import { any, array, document, one, spread, string, type OperatorTable } from './operator.ts';

/** The operators on documents. */
export const OBJECTS: OperatorTable = {
  $mergeObjects: any((args) => mergeObjects(spread(args))),
  $objectToArray: one((a) =>
    [...document('$objectToArray', a)].map(([k, v]) => new Map<string, Value>(Object.entries({ k, v }))),
  ),
  $arrayToObject: one((a) => new Map(array('$arrayToObject', a).map(pairOf))),
};

/** One document of the fields of several, of which the last counts, leaving out null and missing. */
export function mergeObjects(parts: OptionalValue[]): Value {
  const documents = parts.filter((part) => part !== undefined && part !== null);
  return new Map(documents.flatMap((part) => [...document('$mergeObjects', part)]));
}

function pairOf(element: Value): [string, Value] {
  const [key, value] = Array.isArray(element)
    ? element
    : [document('$arrayToObject', element).get('k'), document('$arrayToObject', element).get('v')];
  return [string('$arrayToObject', key), value ?? null];
}
