import {
  type FieldNode,
  type GraphQLResolveInfo,
  getArgumentValues,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';

import { TripStore } from '../../models/trips/trip.ts';

import { storedPathField } from '../../tracking/geometry/stored-lines.ts';
import { FEWEST_FIELDS, projection, type TripFields } from '../../tracking/views/trip-fields.ts';

/** Stored fields from which fields of trips are made that are not stored by their names. */
const SOURCES: Readonly<Record<string, readonly string[]>> = { tags: ['tag_keys'], user: ['user_key'] };

const STORED = new Set(Object.keys(TripStore.schema.paths));

/**
 * Returns the stored fields of trips that a field's answer is made of, so that a long list reads only these. Fields
 * that `@skip` and `@include` leave out are among them.
 *
 * @param paths names of the fields, one below the other, that lead to the trips, if it is not the field itself
 */
export function tripFieldsOf(info: GraphQLResolveInfo, ...paths: readonly (readonly string[])[]): TripFields {
  const { fieldNodes, fragments } = info;
  const selected = selectedBelow(fieldNodes, fragments);
  const found = paths.length === 0 ? selected : paths.flatMap((path) => selectedAt(selected, path, fragments));
  const names = found.flatMap((field) => storedNames(field, info));
  return { ...FEWEST_FIELDS, ...projection(names) };
}

function selectedAt(
  fields: readonly FieldNode[],
  path: readonly string[],
  fragments: GraphQLResolveInfo['fragments'],
): readonly FieldNode[] {
  return path.reduce(
    (found, name) =>
      selectedBelow(
        found.filter((field) => field.name.value === name),
        fragments,
      ),
    fields,
  );
}

function storedNames(field: FieldNode, info: GraphQLResolveInfo): readonly string[] {
  const name = field.name.value;
  if (name === 'path') return pathNames(field, info);
  if (name !== 'start_point' && name !== 'end_point') return SOURCES[name] ?? (STORED.has(name) ? [name] : []);
  const below = fieldsOf(field.selectionSet, info.fragments).map((inner) => inner.name.value);
  return below.filter((inner) => !inner.startsWith('__')).map((inner) => `${name}.${inner}`);
}

function pathNames(field: FieldNode, { schema, variableValues, fragments }: GraphQLResolveInfo): readonly string[] {
  const trip = schema.getType('Trip');
  const path = isObjectType(trip) ? trip.getFields().path : undefined;
  const { tolerance_meters } = path ? getArgumentValues(path, field, variableValues) : {};
  const stored = storedPathField(tolerance_meters);
  const selected = fieldsOf(field.selectionSet, fragments).map((inner) => inner.name.value);
  const tellsGaps = selected.includes('gaps');
  const pathFields = [
    'point_count',
    'points',
    'gaps',
    ...(selected.some((field) => field === 'bounding_box' || field === 'bbox') ? ['bbox'] : []),
  ];
  return [
    ...(stored === null
      ? []
      : ['paths.pack', 'paths.outline_length', ...pathFields.map((name) => `paths.${stored}.${name}`)]),
    // Paths that older programs stored tell no gaps; they do not serve for a trip that has some.
    ...(tellsGaps ? ['gaps'] : []),
  ];
}

/** Fields that are selected below others, with those of fragments. */
export function selectedBelow(nodes: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  return nodes.flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments));
}

function fieldsOf(selection: SelectionSetNode | undefined, fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  return (selection?.selections ?? []).flatMap((node) => {
    if (node.kind === 'Field') return [node];
    const inner = node.kind === 'InlineFragment' ? node : fragments[node.name.value];
    return fieldsOf(inner?.selectionSet, fragments);
  });
}
