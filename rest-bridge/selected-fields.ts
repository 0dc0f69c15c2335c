import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';

/** A field that an operation selects, under one name of its result. */
export interface SelectedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  /** True if a result may lack it. */
  isOptional: boolean;
  /** The fields that are selected of its objects; empty for a scalar. */
  readonly below: Map<string, SelectedField>;
}

/** Selected fields by their names in a result. */
export type SelectedFields = ReadonlyMap<string, SelectedField>;

/** An operation of a valid document. */
interface SelectingOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
}

/** Reads the fields that an operation selects, fragments included. */
export function selectedFields(read: SelectingOperation): SelectedFields {
  const fields = new Map<string, SelectedField>();
  const { operation, selectionSet } = read.operation;
  collect(read, { type: read.schema.getRootType(operation), set: selectionSet, isOptional: false }, fields);
  return fields;
}

/** Returns true if a selection has one of some directives. */
export function hasDirective({ directives = [] }: SelectionNode, ...names: readonly string[]): boolean {
  return directives.some(({ name }) => names.includes(name.value));
}

interface Selection {
  readonly type: GraphQLNamedType | null | undefined;
  readonly set: SelectionSetNode;
  readonly isOptional: boolean;
}

function collect(read: SelectingOperation, { type, set, ...selection }: Selection, fields: Map<string, SelectedField>) {
  for (const one of set.selections) {
    const isOptional = selection.isOptional || hasDirective(one, 'skip', 'include');
    if (one.kind !== Kind.FIELD) {
      const isSpread = one.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? read.fragments.find(({ name }) => name.value === one.name.value) : one;
      if (!fragment) continue;
      const narrowed = fragment.typeCondition ? read.schema.getType(fragment.typeCondition.name.value) : type;
      const isNarrower = isAbstractType(type) && narrowed !== type;
      collect(read, { type: narrowed, set: fragment.selectionSet, isOptional: isOptional || isNarrower }, fields);
      continue;
    }
    const field = one.name.value === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : fieldOf(type, one.name.value);
    if (!field) continue;
    const name = (one.alias ?? one.name).value;
    const selected = fields.get(name) ?? { field, node: one, isOptional: true, below: new Map() };
    selected.isOptional &&= isOptional;
    fields.set(name, selected);
    if (!one.selectionSet) continue;
    collect(read, { type: getNamedType(field.type), set: one.selectionSet, isOptional: false }, selected.below);
  }
}

function fieldOf(type: Selection['type'], name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
