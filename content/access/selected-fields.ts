import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Names of the fields that an operation selects of a record: nothing that only others need has to be read. */
export type SelectedFields = Pick<ReadonlySet<string>, 'has'>;

/** Selects every field. */
export const ALL_FIELDS: SelectedFields = { has: () => true };

const known = new WeakMap<FieldNode, SelectedFields>();

/** Returns the fields that an operation selects of the record of a root field, or of those on its page. */
export function selectedFields({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): SelectedFields {
  const [node] = fieldNodes;
  if (!node) return ALL_FIELDS;
  const selected = known.get(node) ?? namesIn(itemsOf(node)?.selectionSet ?? node.selectionSet);
  known.set(node, selected);
  return selected;
}

/** The selection of the records on a page; undefined where a root field has no pages. */
function itemsOf({ selectionSet }: FieldNode): FieldNode | undefined {
  return selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.name.value === 'items',
  );
}

function namesIn(set: SelectionSetNode | undefined): SelectedFields {
  const names = set?.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : null)) ?? [];
  return names.includes(null) ? ALL_FIELDS : new Set(names);
}
