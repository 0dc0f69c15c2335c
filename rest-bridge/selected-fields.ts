import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  isCompositeType,
  isUnionType,
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
  readonly isOptional: boolean;
  /** The fields that are selected of its objects, by name; null for a scalar. */
  readonly below: SelectedFields | null;
}

/** Selected fields by their names in a result. */
export type SelectedFields = ReadonlyMap<string, SelectedField>;

/** An operation of a valid document. */
export interface SelectingOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
}

/** A place of a field in an operation. */
interface Place {
  readonly parent: GraphQLNamedType;
  readonly node: FieldNode;
  readonly isOptional: boolean;
}

/** Reads the fields that an operation selects, fragments included. */
export function selectedFields(read: SelectingOperation): SelectedFields {
  const root = read.schema.getRootType(read.operation.operation);
  return root ? fieldsOf(read, [{ type: root, set: read.operation.selectionSet, isOptional: false }]) : new Map();
}

/** Returns true if a field has a directive. */
export function hasDirective({ directives = [] }: SelectionNode, ...names: readonly string[]): boolean {
  return directives.some(({ name }) => names.includes(name.value));
}

interface Selection {
  readonly type: GraphQLNamedType;
  readonly set: SelectionSetNode;
  readonly isOptional: boolean;
}

function fieldsOf(read: SelectingOperation, selections: readonly Selection[]): SelectedFields {
  const places = new Map<string, Place[]>();
  for (const selection of selections) collect(read, selection, places);
  const fields = new Map<string, SelectedField>();
  for (const [name, [first, ...others]] of places) {
    const field = first && fieldAt(first);
    if (!first || !field) continue;
    const type = getNamedType(field.type);
    const sets = [first, ...others].flatMap(({ node: { selectionSet: set } }) =>
      set ? [{ type, set, isOptional: false }] : [],
    );
    fields.set(name, {
      field,
      node: first.node,
      isOptional: [first, ...others].every(({ isOptional }) => isOptional),
      below: isCompositeType(type) ? fieldsOf(read, sets) : null,
    });
  }
  return fields;
}

function collect(read: SelectingOperation, selection: Selection, places: Map<string, Place[]>): void {
  const { type, set } = selection;
  for (const one of set.selections) {
    const isOptional =
      selection.isOptional || hasDirective(one, GraphQLSkipDirective.name, GraphQLIncludeDirective.name);
    if (one.kind === Kind.FIELD) {
      const name = (one.alias ?? one.name).value;
      places.set(name, [...(places.get(name) ?? []), { parent: type, node: one, isOptional }]);
      continue;
    }
    const isSpread = one.kind === Kind.FRAGMENT_SPREAD;
    const fragment = isSpread ? read.fragments.find(({ name }) => name.value === one.name.value) : one;
    const named = fragment?.typeCondition?.name.value ?? type.name;
    const narrowed = read.schema.getType(named);
    if (!fragment || !narrowed) continue;
    const isNarrower = isAbstractType(type) && named !== type.name;
    collect(read, { type: narrowed, set: fragment.selectionSet, isOptional: isOptional || isNarrower }, places);
  }
}

function fieldAt({ parent, node }: Place): GraphQLField<unknown, unknown> | undefined {
  const name = node.name.value;
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  return isCompositeType(parent) && hasFields(parent) ? parent.getFields()[name] : undefined;
}

function hasFields(type: GraphQLCompositeType): type is Exclude<GraphQLCompositeType, { getTypes(): unknown }> {
  return !isUnionType(type);
}
