import { mapOf, type OptionalValue, type Value } from '../../bson/value.ts';
import { any, array, one, spread, string, type OperatorTable } from './operator.ts';
import { docOf } from '../../bson/mongo-error.ts';

/** The operators on documents. */
export const OBJECTS: OperatorTable = {
  $mergeObjects: any((args) => mergeObjects(spread(args))),
  $objectToArray: one((a) => [...docOf('$objectToArray', a)].map(([k, v]) => mapOf<Value>({ k, v }))),
  $arrayToObject: one((a) => new Map(array('$arrayToObject', a).map(pairOf))),
};

/** One document of the fields of several, of which the last counts, leaving out null and missing. */
export function mergeObjects(parts: OptionalValue[]): Value {
  const documents = parts.filter((part) => part !== undefined && part !== null);
  return new Map(documents.flatMap((part) => [...docOf('$mergeObjects', part)]));
}

function pairOf(element: Value): [string, Value] {
  const [key, value] = Array.isArray(element)
    ? element
    : ['k', 'v'].map((n) => docOf('$arrayToObject', element).get(n));
  return [string('$arrayToObject', key), value ?? null];
}
