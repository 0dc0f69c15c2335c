import {
  defaultFieldResolver,
  getNullableType,
  type GraphQLField,
  GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  isObjectType,
} from 'graphql';
import { accessOf, authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { selectedBelow } from '../trips/selected-fields.ts';
import { type Found, type Keyed, type Naming, relatedRecord } from './related-record.ts';
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

/**
 * A relation to the one record of which a field holds the key and name, which are shown to all who see the field. Its other
 * fields are what a root field answers that finds it by the key, to the same callers.
 */
interface NamedRelation {
  readonly finds: Found;
  readonly shows: readonly string[];
}

type Relation = ListRelation | RecordRelation | NamedRelation;

/** Lists of an account: those of the root fields that need no argument, but not the log. */
export const ACCOUNT_LISTS: readonly string[] = [
  ...['apiKeys', 'appGrants', 'apps', 'devices', 'events', 'forwarderKeys', 'groups', 'ingestRejections', 'places'],
  ...['privacyZones', 'rules', 'securityEvents', 'shares', 'subscriptions', 'tags', 'trips', 'users', 'vehicles'],
  ...['visits', 'webhooks'],
];

const DRIVER: NamedRelation = { finds: 'user', shows: ['key', 'first_name', 'last_name'] };
const KEY = { shows: ['key'] };

/** Relations of records, by type and name. What a root field answers is what its relations answer, to the same callers. */
const RELATIONS: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  Account: Object.fromEntries(
    ACCOUNT_LISTS.map((lists) => [lists.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), { lists }]),
  ),
  Device: { vehicle: { finds: 'vehicle', by: 'vehicle_key' } },
  EventContext: {
    device: { finds: 'device', ...KEY },
    place: { finds: 'place', ...KEY },
    rule: { finds: 'rule', ...KEY },
    trip: { finds: 'trip', ...KEY },
    vehicle: { finds: 'vehicle', ...KEY },
  },
  Group: {
    parent: { finds: 'group', by: 'parent_group_key' },
    users: { lists: 'users', by: 'group_keys' },
    vehicles: { lists: 'vehicles', by: 'group_keys' },
  },
  Place: { visits: { lists: 'visits', by: 'place_key' } },
  NearbyVehicle: { driver: DRIVER },
  Trip: {
    device: { finds: 'device', by: 'device_key' },
    points: { lists: 'tripPoints', by: 'trip_key' },
    user: DRIVER,
    vehicle: { finds: 'vehicle', shows: ['key', 'nickname'] },
  },
  User: { trips: { lists: 'trips', by: 'user_key' }, visits: { lists: 'visits', by: 'driver_key' } },
  Vehicle: {
    driver: DRIVER,
    events: { lists: 'events', by: 'vehicle_key' },
    trips: { lists: 'trips', by: 'vehicle_key' },
    visits: { lists: 'visits', by: 'vehicle_key' },
  },
  VehicleMovement: { vehicle: { finds: 'vehicle', by: 'vehicle_key' } },
  Visit: { place: { finds: 'place', by: 'place_key' }, vehicle: { finds: 'vehicle', by: 'vehicle_key' } },
};

/** Types that showed a part of a record in version 0.2: fragments on them are valid, since the records implement them. */
const FORMER_TYPES: Readonly<Record<string, readonly string[]>> = {
  Driver: ['User'],
  EventObject: ['Device', 'Place', 'Rule', 'Trip', 'Vehicle'],
  TripVehicle: ['Vehicle'],
};

/** Argument of `trips` that names one trip, whatever else is asked: no part of a list. */
const ONE_TRIP = 'trip_key';

/**
 * Adds the relations of records to a schema whose root fields it has. A relation is null, with the error of its root field,
 * to a caller who may not use that.
 */
export function addRelations(schema: GraphQLSchema): GraphQLSchema {
  for (const [typeName, relations] of Object.entries(RELATIONS)) {
    const type = objectType(schema, typeName);
    for (const [name, relation] of Object.entries(relations)) {
      const field =
        'lists' in relation
          ? listField(schema, type, relation)
          : 'by' in relation
            ? recordField(schema, relation)
            : namedField(schema, type.getFields()[name], relation);
      type.getFields()[name] = { ...field, name, type: getNullableType(field.type) };
    }
  }
  return withFormerTypes(schema);
}

function withFormerTypes(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  const interfaces = Object.entries(FORMER_TYPES).map(([name, records]) => {
    const { fields } = objectType(schema, name).toConfig();
    const description = `What ${records.join(', ')} show to callers who see only their names. Use the type of the record.`;
    const made = new GraphQLInterfaceType({ name, description, fields });
    for (const record of records) (objectType(schema, record).getInterfaces() as GraphQLInterfaceType[]).push(made);
    return made;
  });
  return new GraphQLSchema({
    ...config,
    types: [...types.filter(({ name }) => !(name in FORMER_TYPES)), ...interfaces],
  });
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new TypeError(`${name} is not a type with fields`);
  return type;
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

function namedField(schema: GraphQLSchema, field: Field | undefined, { finds, shows }: NamedRelation): Field {
  if (!field) throw new TypeError(`No record names its ${finds}`);
  const root = rootField(schema, finds);
  const { resolve = defaultFieldResolver } = field;
  return {
    ...field,
    type: root.type,
    extensions: { ...field.extensions, further: { access: accessOf(root), shows } },
    description: `${field.description} Further fields than ${shows.map((name) => `\`${name}\``).join(', ')} need access to \`${finds}\`.`,
    resolve: (record, args, context, info) => {
      const named = resolve(record, args, context, info);
      return selectsOnly(info, shows) ? named : wholeRecord(named as Keyed | null, context, root, finds);
    },
  };
}

async function wholeRecord(
  naming: Keyed | null | Promise<Keyed | null>,
  context: RequestContext,
  root: Field,
  finds: Found,
): Promise<Keyed | null> {
  const named = await naming;
  if (named === null) return null;
  authorize(context, root);
  return relatedRecord(context, finds, named.key, { list: [{ ...named }], by: 'key' });
}

const shownOnly = new WeakMap<GraphQLResolveInfo['fieldNodes'], boolean>();

/** Returns true if nothing is selected of a record but some fields, and what follows from its key. */
function selectsOnly({ fieldNodes, fragments }: GraphQLResolveInfo, shows: readonly string[]): boolean {
  const known = shownOnly.get(fieldNodes);
  if (known !== undefined) return known;
  const shown = new Set([...shows, 'id', '__typename']);
  const only = selectedBelow(fieldNodes, fragments).every(({ name }) => shown.has(name.value));
  shownOnly.set(fieldNodes, only);
  return only;
}

/** Notes the lists of records that have relations to one other each, so that one query finds those of a whole list. */
export function noteRelated(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.entries(RELATIONS).filter(([, relations]) =>
    Object.values(relations).some((relation) => 'by' in relation && 'finds' in relation),
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
