import { check, unsupported } from '../bson/mongo-error.ts';
import { keyOf } from '../bson/key.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import { withId } from './modify.ts';
import { createCollection, dropCollection, findCollection, needCollection } from '../storage/collections.ts';
import { pathNamed, type Collection } from '../storage/catalog.ts';
import type { Connection } from '../storage/connection.ts';
import { insertRow, readRow, updateRow } from '../storage/rows.ts';
import { stageOf } from '../aggregate/pipeline.ts';

/** Writes the result of a pipeline into a collection. */
export type Target = (writer: Connection, docs: Iterable<Doc>) => void;

/** Returns true if a stage writes: `$out` or `$merge`. */
export function isTarget(stage: Value): boolean {
  return isDoc(stage) && (stage.has('$out') || stage.has('$merge'));
}

/** Prepares `$out`, which replaces a collection, or `$merge` by `_id`, which writes into it. */
export function compileTarget(stage: Value, ownDb: string): Target {
  const [name, operand] = stageOf(stage);
  const spec: Doc = isDoc(operand) ? operand : new Map([[name === '$out' ? 'coll' : 'into', operand]]);
  const { db, coll } = name === '$out' ? namespace(spec, ownDb) : namespace(spec.get('into') ?? null, ownDb);
  if (name === '$out') return (writer, docs) => replaceAll(writer, db, coll, [...docs]);
  const on = spec.get('on') ?? '_id';
  const matched = spec.get('whenMatched') ?? 'merge';
  const unmatched = spec.get('whenNotMatched') ?? 'insert';
  if (on !== '_id' || spec.has('let') || typeof matched !== 'string')
    throw unsupported('$merge on other fields than _id, or by a pipeline');
  return (writer, docs) => {
    for (const doc of [...docs].map(withId))
      mergeOne(writer, needCollection(writer, db, coll), doc, matched, String(unmatched));
  };
}

function namespace(value: Value, ownDb: string): { db: string; coll: string } {
  const db = isDoc(value) ? (value.get('db') ?? ownDb) : ownDb;
  const coll = isDoc(value) ? value.get('coll') : value;
  const message = 'The target of $out or $merge must name a collection';
  check(typeof db === 'string' && typeof coll === 'string', 'BadValue', message);
  return { db, coll };
}

/** Replaces a collection. All documents are in memory, since they may come from the collection that is dropped. */
function replaceAll(writer: Connection, db: string, coll: string, docs: Doc[]): void {
  const existing = findCollection(writer, db, coll);
  check(!existing?.capped, 'Location17152', `namespace '${db}.${coll}' is capped so it can't be used for $out`);
  if (existing && existing.indexes.length > 1) throw unsupported('$out into a collection that has indexes');
  writer.atomically(() => {
    if (existing) dropCollection(writer, existing);
    createCollection(writer, db, coll);
    for (const doc of docs.map(withId)) insertRow(writer, needCollection(writer, db, coll), doc);
  });
}

function mergeOne(writer: Connection, collection: Collection, doc: Doc, matched: string, unmatched: string): void {
  const idSlot = pathNamed(collection, '_id')?.slot;
  const found = writer.get(`SELECT id FROM c${collection.id} WHERE s${idSlot} = ?`, keyOf(doc.get('_id') ?? null));
  const row = found && readRow(writer, collection, Number(found.id));
  if (!row) {
    const message =
      '$merge could not find a matching document in the target collection for at least one document in the source collection';
    check(unmatched !== 'fail', 'Location13113', message);
    if (unmatched !== 'discard') insertRow(writer, collection, doc);
    return;
  }
  if (matched === 'fail') insertRow(writer, collection, doc);
  else if (matched !== 'keepExisting')
    updateRow(writer, collection, row, matched === 'replace' ? doc : new Map([...row.doc, ...doc]));
}
