import { check, unsupported } from '../bson/mongo-error.ts';
import { isDoc, mapOf, type Doc, type Value } from '../bson/value.ts';
import { compileFilter } from '../query/match.ts';
import { indexNamed, type Collection, type Index, type Limits } from '../storage/catalog.ts';
import { addIndex, createCollection, dropCollection, findCollection, removeIndex } from '../storage/collections.ts';
import type { Arguments } from './arguments.ts';
import { ok, type Handler } from './command.ts';
import { listReply } from './find.ts';

const CREATE_OPTIONS =
  'create capped size max autoIndexId storageEngine $db lsid writeConcern readConcern $readPreference $clusterTime comment maxTimeMS txnNumber autocommit startTransaction apiVersion';

/** Answers create. */
export const create: Handler = ({ args, db, store }) => {
  for (const option of args.doc.keys())
    if (!CREATE_OPTIONS.split(' ').includes(option)) throw unsupported(`Option ${option} of create`);
  const name = args.string('create');
  const limits = readLimits(args);
  return store.write((writer) => {
    check(!findCollection(writer, db, name), 'NamespaceExists', `Collection ${db}.${name} already exists.`);
    createCollection(writer, db, name, limits);
    return ok();
  });
};

/** Reads the limits of a capped collection; undefined for any other. */
function readLimits(args: Arguments): Limits | undefined {
  const [size, max] = [args.count('size'), args.count('max')];
  if (!args.flag('capped')) {
    const message = "the 'capped' field needs to be true when either the 'size' or 'max' fields are present";
    check(size === undefined && max === undefined, 'InvalidOptions', message);
    return undefined;
  }
  check(size !== undefined, 'InvalidOptions', "the 'size' field is required when 'capped' is true");
  check(size >= 1, 'Location51024', `BSON field 'create.size' value must be >= 1, actual value '${size}'`);
  return { size, max: max || undefined };
}

/** Answers drop. */
export const drop: Handler = ({ args, db, store }) => {
  const name = args.string('drop');
  return store.write((writer) => {
    const collection = findCollection(writer, db, name);
    if (!collection) return ok();
    dropCollection(writer, collection);
    return ok({ nIndexesWas: collection.indexes.length, ns: `${db}.${name}` });
  });
};

/** Answers dropDatabase. */
export const dropDatabase: Handler = ({ db, store }) =>
  store.write((writer) => {
    for (const collection of [...writer.catalog().collections.values()])
      if (collection.db === db) dropCollection(writer, collection);
    return ok({ dropped: db });
  });

/** Answers listCollections. */
export const listCollections: Handler = (command) => {
  const { args, db, store } = command;
  const matches = compileFilter(args.docOrEmpty('filter'));
  const docs = store
    .read((reader) => [...reader.catalog().collections.values()])
    .filter((collection) => collection.db === db)
    .map((collection) => describe(collection, args.flag('nameOnly')))
    .filter((description) => matches(description));
  return listReply(command, docs, `${db}.$cmd.listCollections`);
};

/** Answers listDatabases. */
export const listDatabases: Handler = ({ args, store }) => {
  const matches = compileFilter(args.docOrEmpty('filter'));
  const names = store.read((reader) => new Set([...reader.catalog().collections.values()].map(({ db }) => db)));
  const databases = [...names]
    .sort()
    .map((name) => (args.flag('nameOnly') ? mapOf({ name }) : mapOf({ name, sizeOnDisk: 0, empty: false })));
  const found = databases.filter((database) => matches(database));
  return ok({ databases: found, ...(args.flag('nameOnly') ? {} : { totalSize: 0 }) });
};

/** Answers createIndexes. */
export const createIndexes: Handler = ({ args, db, store }) => {
  const name = args.string('createIndexes');
  const specs = args.docs('indexes');
  return store.write((writer) => {
    const existing = findCollection(writer, db, name);
    const before = existing ?? createCollection(writer, db, name);
    const after = specs.reduce((collection, spec) => addIndex(writer, collection, spec), before);
    return ok({
      numIndexesBefore: before.indexes.length,
      numIndexesAfter: after.indexes.length,
      createdCollectionAutomatically: existing === undefined,
      ...(before.indexes.length === after.indexes.length ? { note: 'all indexes already exist' } : {}),
    });
  });
};

/** Answers listIndexes. */
export const listIndexes: Handler = (command) => {
  const { args, db, store } = command;
  const name = args.string('listIndexes');
  const collection = store.read((reader) => findCollection(reader, db, name));
  check(collection, 'NamespaceNotFound', `ns does not exist: ${db}.${name}`);
  const specs = collection.indexes.map(({ spec }) => spec);
  return listReply(command, specs, `${db}.${name}`);
};

/** Answers dropIndexes. */
export const dropIndexes: Handler = ({ args, db, store }) => {
  const name = args.string('dropIndexes');
  return store.write((writer) => {
    const collection = findCollection(writer, db, name);
    check(collection, 'NamespaceNotFound', `ns not found ${db}.${name}`);
    chosenIndexes(collection, args.value('index') ?? null).reduce((current, { id }) => {
      const index = current.indexes.find((candidate) => candidate.id === id);
      return index ? removeIndex(writer, current, index) : current;
    }, collection);
    return ok({ nIndexesWas: collection.indexes.length });
  });
};

function chosenIndexes(collection: Collection, wanted: Value): Index[] {
  if (wanted === '*') return collection.indexes.filter(({ name }) => name !== '_id_');
  if (Array.isArray(wanted)) return wanted.flatMap((one) => chosenIndexes(collection, one));
  const found = indexNamed(collection, wanted);
  const shown = isDoc(wanted) ? [...wanted.keys()].join() : String(wanted);
  check(found, 'IndexNotFound', `index not found with name [${shown}]`);
  check(found.name !== '_id_', 'InvalidOptions', 'cannot drop _id index');
  return [found];
}

function describe({ name, indexes, capped }: Collection, nameOnly: boolean): Doc {
  if (nameOnly) return mapOf({ name, type: 'collection' });
  const idIndex = indexes.find((index) => index.name === '_id_')?.spec ?? null;
  const max = capped?.max === undefined ? {} : { max: capped.max };
  const options = mapOf<Value>(capped ? { capped: true, size: capped.size, ...max } : {});
  return mapOf({ name, type: 'collection', options, info: mapOf({ readOnly: false }), idIndex });
}
