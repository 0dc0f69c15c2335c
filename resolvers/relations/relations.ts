import { getNullableType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { accessOf, authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { type Found, type Naming, relatedRecord } from './related-record.ts';
import { mapLists } from '../../tracking/scheduling/map-lists.ts';

/** The lists of an answer, by which the records that stand with one are found. */
class ListedRecords {
  readonly #lists = new Map<object, readonly object[]>();
  #noted: (readonly object[])[] = [];

  note(list: readonly object[]): void {
    this.#noted.push(list);
  }

  /** The records that stand with one in a list of the answer, itself included. */
  peersOf<Peer extends object>(record: Peer): readonly Peer[] {
    for (const list of this.#noted) {
      const records = list.map((item) => ('node' in item ? (item.node as object) : item));
      for (const listed of records) this.#lists.set(listed, records);
    }
    this.#noted = [];
    return (this.#lists.get(record) as readonly Peer[] | undefined) ?? [record];
  }
}

const ofRequests = new WeakMap<object, ListedRecords>();

function listedRecords(context: object): ListedRecords {
  const listed = ofRequests.get(context) ?? new ListedRecords();
  ofRequests.set(context, listed);
  return listed;
}

const noted = new WeakSet<GraphQLField<unknown, object>>();

/** Notes which records stand in a list together, for all lists of some types in a schema, and of edges to them. */
function notePeers(schema: GraphQLSchema, typeNames: readonly string[]): GraphQLSchema {
  const names = new Set(typeNames.flatMap((name) => [name, `${name}Edge`]));
  const map = (list: readonly unknown[], context: object) => {
    listedRecords(context).note(list as readonly object[]);
    return list;
  };
  return mapLists(schema, { isMapped: ({ name }) => names.has(name), map, mapped: noted });
}

type Field = GraphQLField<Naming, RequestContext>;

/** A relation whose records a root field lists; its argument takes the key of the record at which the relation begins. */
interface ListRelation {
  readonly lists: string;
  readonly by?: string;
}

/** A relation to the one record whose key a field of the record holds; a root field finds it by that key. */
interface RecordRelation {
  readonly finds: Found;
  readonly by: string;
}

/** Relations of records, by type and name. What a root field answers is what its relations answer, to the same callers. */
const RELATIONS: Readonly<Record<string, Readonly<Record<string, ListRelation | RecordRelation>>>> = {
  Account: {
    devices: { lists: 'devices' },
    groups: { lists: 'groups' },
    places: { lists: 'places' },
    subscriptions: { lists: 'subscriptions' },
    tags: { lists: 'tags' },
    trips: { lists: 'trips' },
    users: { lists: 'users' },
    vehicles: { lists: 'vehicles' },
  },
  Device: { vehicle: { finds: 'vehicle', by: 'vehicle_key' } },
  Group: {
    parent: { finds: 'group', by: 'parent_group_key' },
    users: { lists: 'users', by: 'group_keys' },
    vehicles: { lists: 'vehicles', by: 'group_keys' },
  },
  Place: { visits: { lists: 'visits', by: 'place_key' } },
  Trip: { device: { finds: 'device', by: 'device_key' }, points: { lists: 'tripPoints', by: 'trip_key' } },
  User: { trips: { lists: 'trips', by: 'user_key' }, visits: { lists: 'visits', by: 'driver_key' } },
  Vehicle: {
    events: { lists: 'events', by: 'vehicle_key' },
    trips: { lists: 'trips', by: 'vehicle_key' },
    visits: { lists: 'visits', by: 'vehicle_key' },
  },
  Visit: { place: { finds: 'place', by: 'place_key' }, vehicle: { finds: 'vehicle', by: 'vehicle_key' } },
};

/** Argument of `trips` that names one trip, whatever else is asked: no part of a list. */
const ONE_TRIP = 'trip_key';

/**
 * Adds the relations of records to a schema whose root fields it has. A relation is null, with the error of its root field,
 * to a caller who may not use that.
 */
export function addRelations(schema: GraphQLSchema): GraphQLSchema {
  for (const [typeName, relations] of Object.entries(RELATIONS)) {
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new TypeError(`${typeName} is not a type with fields`);
    for (const [name, relation] of Object.entries(relations)) {
      const field = 'lists' in relation ? listField(schema, type, relation) : recordField(schema, relation);
      type.getFields()[name] = { ...field, name, type: getNullableType(field.type) };
    }
  }
  return schema;
}

function listField(schema: GraphQLSchema, { name: typeName }: GraphQLObjectType, { lists, by }: ListRelation): Field {
  const root = rootField(schema, lists);
  const narrowing = root.args.find(({ name }) => name === by);
  if (by !== undefined && !narrowing) throw new TypeError(`${lists} has no argument ${by}`);
  const takesList = narrowing?.type.toString().startsWith('[');
  return {
    ...root,
    description: `Records of this ${typeName.toLowerCase()}, as listed by \`${lists}\`.`,
    args: root.args.filter((argument) => argument !== narrowing && argument.name !== ONE_TRIP),
    resolve: ({ key }, args, context, info) => {
      authorize(context, root);
      const ofThis = by === undefined ? {} : { [by]: takesList ? [key] : key };
      return root.resolve?.({}, { ...args, ...ofThis }, context, info);
    },
  };
}

function recordField(schema: GraphQLSchema, { finds, by }: RecordRelation): Field {
  const root = rootField(schema, finds);
  return {
    ...root,
    description: `The related record; null if there is none or the caller cannot see it.`,
    args: [],
    resolve: (record, _args, context) => {
      const { [by]: key } = record;
      if (typeof key !== 'string') return null;
      authorize(context, root);
      return relatedRecord(context, finds, key, { list: listedRecords(context).peersOf(record), by });
    },
  };
}

/** Notes the lists of records that have relations to one other each, so that one query finds those of a whole list. */
export function noteRelated(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.entries(RELATIONS).filter(([, relations]) =>
    Object.values(relations).some((relation) => 'finds' in relation),
  );
  return notePeers(
    schema,
    types.map(([name]) => name),
  );
}

function rootField(schema: GraphQLSchema, name: string): Field {
  const field = schema.getQueryType()?.getFields()[name];
  if (!field || !accessOf(field)) throw new TypeError(`There is no query ${name}`);
  return field;
}
