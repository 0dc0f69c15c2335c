import type { Maybe, Value } from '../../bson/value.ts';
import { any, array, document, one, string } from './operator.ts';
import type { OperatorTable } from './operator.ts';

/** The operators on documents. */
export const OBJECTS: OperatorTable = {
  $mergeObjects: any(mergeObjects),
  $objectToArray: one((a) =>
    [...document('$objectToArray', a)].map(
      ([k, v]) =>
        new Map<string, Value>([
          ['k', k],
          ['v', v],
        ]),
    ),
  ),
  $arrayToObject: one((a) => new Map(array('$arrayToObject', a).map(pairOf))),
};

function mergeObjects(args: Maybe[]): Value {
  const documents = (args.length === 1 && Array.isArray(args[0]) ? args[0] : args).filter(
    (part) => part !== undefined && part !== null,
  );
  return new Map(documents.flatMap((part) => [...document('$mergeObjects', part)]));
}

function pairOf(element: Value): [string, Value] {
  const [key, value] = Array.isArray(element)
    ? element
    : [document('$arrayToObject', element).get('k'), document('$arrayToObject', element).get('v')];
  return [string('$arrayToObject', key), value ?? null];
}
