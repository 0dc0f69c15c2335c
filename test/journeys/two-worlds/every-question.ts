import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { accessOf } from '../../../auth/access.ts';
import type { Permission } from '../../../auth/caller.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { readNodeId, writeNodeId } from '../../../resolvers/relations/nodes.ts';
import { isRelation } from '../../fixtures/select-all-fields.ts';

/** Keys of the records that questions name. */
export interface Known {
  readonly vehicle_key: string;
  readonly device_key: string;
  readonly group_key: string;
  readonly tag_key: string;
  readonly webhook_key: string;
  readonly user_key: string;
  /** A user who is deleted and comes back. */
  readonly leaving_user_key: string;
  /** Keys of trips that an app sees, in order, and one of a trip that it does not. */
  readonly trip_keys: readonly string[];
  /** Date-times at which a list may begin or end. */
  readonly instants: readonly string[];
}

/** A question in GraphQL. */
export interface Question {
  readonly field: string;
  /** Permissions of which the caller needs one. */
  readonly access: readonly Permission[];
  /** The question in words in which keys of trips are numbers. */
  readonly words: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** True where the answer is a page, after which there may be others. */
  readonly isPage: boolean;
}

type Values = (known: Known) => readonly unknown[];

const keys =
  (
    name: 'vehicle_key' | 'tag_key' | 'webhook_key' | 'device_key' | 'group_key' | 'user_key' | 'leaving_user_key',
  ): Values =>
  (known) => [known[name]];
const tripKeys: Values = ({ trip_keys }) => trip_keys;
const leftOutOr =
  (values: Values): Values =>
  (known) => [undefined, ...values(known)];
/** The first trip that is seen, and one that is not: each costs as many answers as there are callers. */
const someTripKeys: Values = ({ trip_keys }) => [...new Set([trip_keys[0], trip_keys.at(-1)])];
const instants: Values = ({ instants: all }) => all;
const pageSizes = leftOutOr(() => [1]);
const leftOut: Values = () => [undefined];

/** The values with which each argument is asked; the first stands where another argument is tried. */
const ARGUMENTS: Readonly<Record<string, Values>> = {
  'devices.q': leftOutOr(() => ['a']),
  'devices.first': pageSizes,
  'devices.after': leftOut,
  'device.key': keys('device_key'),
  'groups.group_keys': leftOutOr(({ group_key }) => [[group_key]]),
  'groups.show_inactive': leftOutOr(() => [true]),
  'group.group_key': keys('group_key'),
  'subscriptions.first': pageSizes,
  'subscriptions.after': leftOut,
  'subscription.key': () => ['nothing'],
  'trips.vehicle_key': leftOutOr(keys('vehicle_key')),
  'trips.user_key': leftOut,
  'trips.tag_keys': leftOut,
  'trips.newest_first': leftOutOr(() => [true]),
  'trips.trip_key': leftOutOr(someTripKeys),
  'trips.started_after': leftOutOr(instants),
  'trips.started_before': leftOutOr(instants),
  'trips.first': pageSizes,
  'trips.after': leftOutOr(someTripKeys),
  'tripImport.key': () => ['nothing'],
  'trip.key': tripKeys,
  'updateTrip.key': tripKeys,
  'updateTrip.input': () => [{ tags: [] }],
  'redeemShare.secret': () => ['nothing'],
  'stays.vehicle_key': keys('vehicle_key'),
  'stays.started_after': leftOutOr(instants),
  'stays.started_before': leftOutOr(instants),
  'stays.first': pageSizes,
  'stays.after': leftOut,
  'visits.vehicle_key': leftOutOr(keys('vehicle_key')),
  'visits.driver_key': leftOutOr(keys('user_key')),
  'visits.place_key': leftOut,
  'visits.entry_after': leftOutOr(instants),
  'visits.entry_before': leftOutOr(instants),
  'visits.first': pageSizes,
  'visits.after': leftOut,
  'visit.key': () => ['nothing'],
  'events.event': leftOutOr(() => ['trip_end']),
  'events.vehicle_key': leftOutOr(keys('vehicle_key')),
  'events.happened_after': leftOutOr(instants),
  'events.happened_before': leftOutOr(instants),
  'events.first': pageSizes,
  'events.after': leftOut,
  'event.key': () => ['nothing'],
  'changes.first': () => [20, 1],
  'changes.after': leftOut,
  'changes.wait': leftOut,
  'shares.first': () => [20, 1],
  'shares.after': leftOut,
  'share.key': () => ['nothing'],
  'createShare.input': () => [{ vehicle_key: 'nothing', expires: '2030-01-01' }],
  'updateShare.key': () => ['nothing'],
  'updateShare.input': () => [{ expires: '2030-01-01' }],
  'deleteShare.key': () => ['nothing'],
  'webhooks.first': () => [20, 1],
  'webhooks.after': leftOut,
  'webhook.key': keys('webhook_key'),
  'webhookDeliveries.webhook_key': keys('webhook_key'),
  'webhookDeliveries.status': leftOutOr(() => ['pending']),
  'webhookDeliveries.first': () => [20, 1],
  'webhookDeliveries.after': leftOut,
  'createWebhook.input': () => [{ url: 'https://bakery.example/', events: ['trip_end'] }],
  'updateWebhook.key': keys('webhook_key'),
  'updateWebhook.input': () => [{ status: 'paused' }],
  'deleteWebhook.key': () => ['nothing'],
  'rotateWebhookSecret.key': keys('webhook_key'),
  'testWebhook.key': keys('webhook_key'),
  'replayWebhook.key': keys('webhook_key'),
  'replayWebhook.input': () => [{ since: '2026-01-01' }],
  'rules.first': () => [20, 1],
  'rules.after': leftOut,
  'rule.key': () => ['nothing'],
  'createRule.input': () => [{ name: 'Too fast', speed_limit: 75 }],
  'updateRule.key': () => ['nothing'],
  'updateRule.input': () => [{ name: 'Faster' }],
  'deleteRule.key': () => ['nothing'],
  'places.first': pageSizes,
  'places.after': leftOut,
  'place.key': () => ['nothing'],
  'createPlace.input': () => [{ name: 'Depot', point: { lat: 53.08, lon: 8.81 }, radius: 200 }],
  'updatePlace.key': () => ['nothing'],
  'updatePlace.input': () => [{ name: 'Yard' }],
  'deletePlace.key': () => ['nothing'],
  'tags.type': leftOutOr(() => ['Trip']),
  'tags.first': pageSizes,
  'tags.after': leftOut,
  'tag.key': keys('tag_key'),
  'createTag.input': () => [{ value: 'Delivery', type: 'Trip' }],
  'updateTag.key': keys('tag_key'),
  'updateTag.input': () => [{ color: '#2f6f4f' }],
  'deleteTag.key': () => ['nothing'],
  'applyTag.key': keys('tag_key'),
  'applyTag.input': ({ trip_keys }) => [
    { entity_keys: trip_keys.slice(0, -1) },
    { action: 'remove', entity_keys: trip_keys.slice(0, -1) },
  ],
  'exportTripAsGpx.key': tripKeys,
  'exportTripAsGeoJson.key': tripKeys,
  'tripPoints.trip_key': tripKeys,
  'tripPoints.first': () => [undefined, 7],
  'tripPoints.after': leftOutOr(() => ['0', '3', '1000']),
  'nearbyVehicles.point': () => [{ lat: 53.1, lon: 8.8 }],
  'nearbyVehicles.first': leftOutOr(() => [1]),
  'nearbyVehicles.lat': () => [53.1],
  'nearbyVehicles.long': () => [8.8],
  'nearbyVehicles.size': leftOutOr(() => [1]),
  'vehicles.tag_keys': leftOut,
  'vehicles.q': leftOutOr(() => ['van']),
  'vehicles.group_keys': leftOutOr(({ group_key }) => [[group_key]]),
  'createVehicle.input': () => [{ nickname: 'Van 9' }],
  'updateVehicle.key': keys('vehicle_key'),
  'updateVehicle.input': () => [{}],
  'deleteVehicle.key': () => ['nothing'],
  'restoreVehicle.key': () => ['nothing'],
  'createDevice.serial': () => ['nothing new'],
  'createDevice.vehicle_key': keys('vehicle_key'),
  'deleteDevice.key': () => ['nothing'],
  'restoreDevice.key': () => ['nothing'],
  'vehicles.first': pageSizes,
  'vehicles.after': leftOut,
  'vehicle.key': keys('vehicle_key'),
  'users.group_keys': leftOutOr(({ group_key }) => [[group_key]]),
  'users.first': pageSizes,
  'users.after': leftOut,
  'user.key': keys('user_key'),
  'createUser.input': () => [{ first_name: 'Grace' }],
  'updateUser.key': keys('user_key'),
  'updateUser.input': () => [{ account_role: 'administrator' }],
  'deleteUser.key': keys('leaving_user_key'),
  'restoreUser.key': keys('leaving_user_key'),
  'updateAccount.input': () => [{}],
  'updateTripSettings.input': () => [{}],
  'updateDeviceTripSettings.key': keys('device_key'),
  'updateDeviceTripSettings.input': () => [{}],
  'markedPositions.device_key': keys('device_key'),
  'markedPositions.recorded_after': leftOutOr(instants),
  'markedPositions.recorded_before': leftOutOr(instants),
  'markedPositions.after': leftOut,
  'markedPositions.first': pageSizes,
  'recutTrips.vehicle_key': keys('vehicle_key'),
  'recutTrips.input': leftOut,
  'cancelTripImport.key': () => ['nothing'],
  'updateRetention.positions_days': leftOut,
  'updateRetention.trips': leftOut,
  'updateDevice.key': keys('device_key'),
  'updateDevice.input': () => [{ subscription_status: 'active' }],
  'updateGroup.group_key': keys('group_key'),
  'updateGroup.input': () => [{}],
  'deactivateGroup.group_key': keys('group_key'),
  'applyGroups.input': ({ vehicle_key }) => [{ action: 'add', group_keys: [], member_keys: [vehicle_key] }],
  'node.id': (known) => [
    ...known.trip_keys.map((key) => writeNodeId({ type: 'Trip', key })),
    writeNodeId({ type: 'Vehicle', key: known.vehicle_key }),
    writeNodeId({ type: 'Device', key: known.device_key }),
    writeNodeId({ type: 'Group', key: known.group_key }),
    writeNodeId({ type: 'Tag', key: known.tag_key }),
    writeNodeId({ type: 'User', key: known.user_key }),
  ],
  'createGroup.name': () => ['Night shift'],
  'createGroup.parent_group_key': keys('group_key'),
};

/** The arguments with which fields below are asked, all of them in one answer. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  path: [
    '',
    '(tolerance_meters: 0.3)',
    '(tolerance_meters: 1)',
    '(tolerance_meters: 25)',
    '(max_points: 2)',
    '(tolerance_meters: 0.5, max_points: 4)',
  ],
  timed_path: ['', '(tolerance_meters: 1)', '(max_points: 3)'],
  recent_requests: ['(first: 5)'],
};
const ARGUMENTS_BELOW = new Set(['tolerance_meters', 'max_points', 'first']);

/** Returns true if others than the owner may ask a root field: apps with some scope, trip maps, or anybody. */
function isForOthers(field: GraphQLField<unknown, unknown>): boolean {
  const isTheirs = (permission: string) => permission in SCOPES || permission === 'embed' || permission === 'visitor';
  return accessOf(field)?.some(isTheirs) ?? true;
}

/** The root fields that others than the owner may ask. */
export function fieldsForOthers(schema: GraphQLSchema): readonly GraphQLField<unknown, unknown>[] {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return roots.flatMap((root) => Object.values(root?.getFields() ?? {})).filter(isForOthers);
}

/**
 * All questions that others than the owner may put: each root field with each value of its arguments, and all fields below.
 *
 * @throws RangeError for an argument that nothing is known to ask with: say so in the tables of this file
 */
export function everyQuestion(schema: GraphQLSchema, known: Known): Question[] {
  return fieldsForOthers(schema).flatMap((field) => questionsOf(schema, field, known));
}

/** The values with which an argument of a root field is asked. */
export function valuesOf(field: string, argument: string, known: Known): readonly unknown[] {
  const values = argument === 'last' ? pageSizes : argument === 'before' ? leftOut : ARGUMENTS[`${field}.${argument}`];
  if (!values) throw new RangeError(`Say with which values ${field}(${argument}) is to be asked`);
  return values(known);
}

function questionsOf(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>, known: Known): Question[] {
  const kind = schema.getMutationType()?.getFields()[field.name] === field ? 'mutation' : 'query';
  const type = getNamedType(field.type);
  const isPage = isObjectType(type) && 'page_info' in type.getFields();
  const values = new Map(field.args.map(({ name }) => [name, valuesOf(field.name, name, known)]));
  const first = Object.fromEntries([...values].map(([name, [value]]) => [name, value]));
  const tried = [...values].flatMap(([name, [, ...others]]) => others.map((value) => ({ ...first, [name]: value })));
  const missing = field.args.find(({ name, type }) => isNonNullType(type) && first[name] === undefined);
  if (missing) throw new RangeError(`Say with which values ${field.name}(${missing.name}) is to be asked`);
  const questionOf = (values: typeof first, selection: string, relation = ''): Question => ({
    field: field.name,
    access: accessOf(field) ?? [],
    words: `${field.name}(${JSON.stringify(values, (_, value) => numbered(value, known))})${relation}`,
    query: operationOf(kind, field, selection, values),
    variables: values,
    isPage,
  });
  return [
    ...[first, ...tried].map((values) => questionOf(values, selectionBelow(schema, type, values))),
    ...(kind === 'query' ? relationsOf(type) : []).flatMap((relation) =>
      [first, ...tried].map((values) => questionOf(values, ` { ${relation} }`, ` ${relation.split(/\W/, 1)}`)),
    ),
  ];
}

/** Selections of the relations of a record, and of all that they lead to. */
function relationsOf(type: GraphQLNamedType): readonly string[] {
  const fields = isObjectType(type) ? Object.values(type.getFields()).filter(isRelation) : [];
  return fields.map(({ name, args, type: related }) => {
    const below = getNamedType(related);
    const page = args.some((argument) => argument.name === 'first') ? '(first: 2)' : '';
    return `${name}${page}${isObjectType(below) ? ` { ${selectionOf(below)} }` : ''}`;
  });
}

/** Arguments with the size of a page. */
const SIZES: readonly string[] = ['first', 'last'];

/** The size of a page stands in the operation itself: a variable counts as the greatest, and would be refused as too much. */
function operationOf(
  kind: 'query' | 'mutation',
  { name, args }: GraphQLField<unknown, unknown>,
  below: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const given = args.filter(({ name: one }) => !SIZES.includes(one) || values[one] !== undefined);
  const declared = given.filter(({ name: one }) => !SIZES.includes(one));
  const head = declared.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const list = given.map(({ name: one }) => `${one}: ${SIZES.includes(one) ? values[one] : `$${one}`}`);
  return `${kind} ${head === '' ? '' : `(${head})`} { ${name}${list.length === 0 ? '' : `(${list.join(', ')})`}${below} }`;
}

function numbered(value: unknown, { trip_keys }: Known): unknown {
  const at = trip_keys.findIndex((key) => value === key || value === writeNodeId({ type: 'Trip', key }));
  return at < 0 ? value : `trip ${at}`;
}

/** Selects all of a record: of an interface, all that the type has whose id is asked for. */
function selectionBelow(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  values: Readonly<Record<string, unknown>>,
): string {
  if (isObjectType(type)) return ` { ${selectionOf(type)} }`;
  if (!isInterfaceType(type)) return '';
  const named = schema.getType(readNodeId(String(values.id)).type);
  if (!isObjectType(named)) throw new RangeError(`Say which types of ${type.name} are asked for`);
  return ` { __typename id ... on ${named.name} { ${selectionOf(named)} } }`;
}

/** Selects every field of a type and of all below it but relations; a type within itself once. */
function selectionOf(type: GraphQLObjectType, within: readonly string[] = []): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const below = getNamedType(field.type);
    if (isRelation(field)) return [];
    if (isObjectType(below) && within.filter((name) => name === below.name).length > 0) return [];
    if (!isObjectType(below) && !isLeafType(below)) throw new RangeError(`Say how ${type.name}.${field.name} is asked`);
    if (field.name === 'edges') return ['edges { cursor node { __typename } }'];
    const selection = isObjectType(below) ? ` { ${selectionOf(below, [...within, type.name])} }` : '';
    const unknown = field.args.find(({ name }) => !ARGUMENTS_BELOW.has(name));
    const argumentLists = field.args.length === 0 ? [''] : BELOW[field.name];
    if (unknown || !argumentLists)
      throw new RangeError(`Say how the arguments of ${type.name}.${field.name} are asked`);
    return argumentLists.map(
      (args, at) => `${at === 0 ? '' : `${field.name}_${at}: `}${field.name}${args}${selection}`,
    );
  });
  return fields.join(' ');
}
