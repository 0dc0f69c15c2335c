import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
  type ValueNode,
} from 'graphql';

import {
  MAX_PAGE,
  NESTED_PAGE_COST,
  RECORDS_PER_COST,
  ROOT_COST,
  sizeArgumentOf,
} from '../execution/operation-cost.ts';

/** Limits on operations; each is generous for a client and small for the service. */
export const GRAPHQL_LIMITS = {
  /** Tokens of a document: names, punctuation, values. */
  tokens: 2000,
  /** Nested fields; introspection is not counted, since graphql-js limits it. */
  depth: 15,
  /** Aliases, with fragments expanded. */
  aliases: 50,
  /** Sum over all fields, with fragments expanded: {@link ROOT_COST} for one of the operation itself, else by its nodes. */
  cost: 3000,
} as const;

/** Number of nodes of all enclosing lists for which a field below a root field costs 1. */
const NODES_PER_COST = 50;

/** Further cost of fields that compute geometry, or are read for each node: `each` per node, and at least `least`. */
const FURTHER_COSTS: ReadonlyMap<string, { readonly each: number; readonly least: number }> = new Map([
  ['Trip.path', { each: 1, least: 100 }],
  ['Trip.timed_path', { each: 1, least: 100 }],
  ['Trip.encoded_polyline', { each: 1, least: 100 }],
  ['Query.tripPoints', { each: 1, least: 100 }],
  ['Trip.points', { each: 1, least: 100 }],
  ['Trip.stops', { each: 0.2, least: 0 }],
  ['Trip.gaps', { each: 0.2, least: 0 }],
  ['Vehicle.last_trip', { each: 3, least: 0 }],
  ['NearbyVehicle.last_trip', { each: 3, least: 0 }],
]);

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly cost: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, cost: 0 };
const NOUNS = { depth: 'depth', aliases: 'number of aliases' } as const;

/**
 * Rejects an operation that exceeds {@link GRAPHQL_LIMITS} regardless of its variables and the account, naming the limit. The
 * parser has counted the tokens; {@link costError} counts what depends on variables and the account, when the operation is
 * executed.
 */
export const limitsRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const fragmentOf = (name: string) => context.getFragment(name);
    const measured = { schema: context.getSchema(), operation, fragmentOf, variables: null };
    const measure = new Measure({ ...measured, recordCounts: new Map() });
    const found = measure.ofOperation();
    for (const limit of ['depth', 'aliases'] as const) {
      if (found[limit] > GRAPHQL_LIMITS[limit]) {
        const message = `The operation has a ${NOUNS[limit]} of ${found[limit]}, and at most ${GRAPHQL_LIMITS[limit]} is allowed`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      }
    }
    const error = measure.costError();
    if (error) context.reportError(error);
  },
});

/** An operation to be executed. */
export interface MeasuredOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined;
  /** Values of variables as sent; null if not known yet. */
  readonly variables: Readonly<Record<string, unknown>> | null;
}

/** Assumed number of groups of an account before they are counted. */
const EXPECTED_GROUPS = 1000;

/**
 * Returns the error of an operation whose cost exceeds {@link GRAPHQL_LIMITS} with the values of its variables and the records
 * that the account has; null if it does not.
 *
 * @param countRecords counts the records that the caller sees, by type; it is called only for an operation that costs too much
 * if pages are full
 */
export async function costError(
  measured: MeasuredOperation,
  countRecords: () => Promise<ReadonlyMap<string, number>>,
): Promise<GraphQLError | null> {
  if (isCheap(measured)) return null;
  return new Measure({ ...measured, recordCounts: await countRecords() }).costError();
}

/** Returns true if an operation is within the limit even if its pages are full. */
export function isCheap(measured: MeasuredOperation): boolean {
  return new Measure({ ...measured, recordCounts: new Map([['Group', EXPECTED_GROUPS]]) }).costError() === null;
}

/** A field and its cost without the records of its list. */
interface Costliest {
  readonly name: string;
  readonly cost: number;
  /** Enclosing lists and its own, whose sizes determine how often it is read. */
  readonly lists: readonly string[];
}

/** Place of selections in an operation. */
interface Within {
  /** Type on which they select; undefined below an unknown field, which another rule rejects. */
  readonly type: GraphQLNamedType | undefined;
  /** Number of nodes of all enclosing lists together; null for the operation itself. */
  readonly nodes: number | null;
  /** Enclosing lists, for messages, such as `Query.vehicles(first: 100)`. */
  readonly lists: readonly string[];
}

/**
 * Measures selections, each fragment once, so that the time is proportional to the size of the document, however they are
 * nested.
 */
class Measure {
  readonly #measured: MeasuredOperation;
  readonly #recordCounts: ReadonlyMap<string, number>;
  readonly #fragments = new Map<string, Size>();
  /** The field with the highest cost of its own. */
  #costliest: Costliest = { name: '', cost: 0, lists: [] };

  /** @param measured with the numbers of records by type; a missing type has no limit */
  constructor({
    recordCounts,
    ...measured
  }: MeasuredOperation & { readonly recordCounts: ReadonlyMap<string, number> }) {
    this.#measured = measured;
    this.#recordCounts = recordCounts;
  }

  ofOperation(): Size {
    const { schema, operation } = this.#measured;
    const type = schema.getRootType(operation.operation) ?? undefined;
    return this.#ofSet(operation.selectionSet, { type, nodes: null, lists: [] });
  }

  /** The error of a cost beyond the limit, which names the field that costs the most, and the lists around it. */
  costError(): GraphQLError | null {
    const { cost } = this.ofOperation();
    if (cost <= GRAPHQL_LIMITS.cost) return null;
    const { name, cost: own, lists } = this.#costliest;
    const advice = lists.length === 0 ? '' : `: lower the sizes in ${lists.join(' > ')}`;
    const message = `The operation has a cost of ${cost}, and at most ${GRAPHQL_LIMITS.cost} is allowed; ${name} alone costs ${own}${advice}`;
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
    return new GraphQLError(message, { nodes: this.#measured.operation, extensions });
  }

  #ofSet({ selections }: SelectionSetNode, within: Within): Size {
    let { depth, aliases, cost } = NOTHING;
    for (const selection of selections) {
      const size = this.#ofSelection(selection, within);
      depth = Math.max(depth, size.depth);
      aliases += size.aliases;
      cost += size.cost;
    }
    return { depth, aliases, cost };
  }

  #ofSelection(selection: SelectionNode, within: Within): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.#ofField(selection, within);
      case Kind.INLINE_FRAGMENT:
        return this.#ofSet(selection.selectionSet, this.#narrowed(within, selection.typeCondition));
      case Kind.FRAGMENT_SPREAD:
        return this.#ofFragment(selection.name.value, within);
    }
  }

  #ofField(selected: FieldNode, { type, nodes, lists }: Within): Size {
    const name = selected.name.value;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const page = this.#pageOf(selected, field);
    const coordinate = `${type?.name}.${name}`;
    const below = {
      type: field && getNamedType(field.type),
      nodes: page ? (nodes ?? 1) * page.records : this.#listed(field, nodes ?? 1),
      lists: page
        ? [...lists, `${coordinate}(${page.argument}: ${page.size})`]
        : isGroups(field)
          ? [...lists, coordinate]
          : lists,
    };
    const size = selected.selectionSet ? this.#ofSet(selected.selectionSet, below) : NOTHING;
    const { each, least } = FURTHER_COSTS.get(coordinate) ?? { each: 0, least: 0 };
    const records = page ? Math.ceil(below.nodes / RECORDS_PER_COST) : 0;
    const own = ownCost(nodes, page !== null) + Math.max(least, Math.ceil(each * below.nodes));
    if (own > this.#costliest.cost) this.#costliest = { name: coordinate, cost: own, lists: below.lists };
    return {
      depth: name.startsWith('__') ? 0 : size.depth + 1,
      aliases: size.aliases + (selected.alias === undefined ? 0 : 1),
      cost: size.cost + own + records,
    };
  }

  /** Size of the page that a field requests, and the number of records that it can have; null for a field without pages. */
  #pageOf({ arguments: given = [] }: FieldNode, field: GraphQLField<unknown, unknown> | undefined) {
    const sized = field && sizeArgumentOf(field);
    if (sized === undefined) return null;
    const instead = given.find(({ name, value }) => ['last', 'size'].includes(name.value) && this.#isGiven(value));
    const argument = instead?.name.value ?? sized;
    const declared = field?.args.find(({ name }) => name === argument)?.defaultValue;
    const written = given.find(({ name }) => name.value === argument)?.value;
    const size = Math.min(Math.max(1, this.#numberOf(written, declared)), MAX_PAGE);
    const record = field ? getNamedType(field.type).name.replace(/Connection$/, '') : '';
    return { argument, size, records: Math.min(size, Math.max(1, this.#recordCounts.get(record) ?? MAX_PAGE)) };
  }

  /** Returns false for null, and for a variable without a value. */
  #isGiven(written: ValueNode): boolean {
    const { variables, operation } = this.#measured;
    if (written.kind !== Kind.VARIABLE || variables === null) return written.kind !== Kind.NULL;
    const name = written.name.value;
    const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return variables[name] !== null && (variables[name] ?? definition?.defaultValue) !== undefined;
  }

  #numberOf(written: ValueNode | undefined, declared: unknown): number {
    const { operation, variables } = this.#measured;
    if (written?.kind === Kind.INT) return Number(written.value);
    if (written?.kind !== Kind.VARIABLE) return typeof declared === 'number' ? declared : MAX_PAGE;
    if (variables === null) return 1;
    const value = variables[written.name.value];
    if (typeof value === 'number') return value;
    const definition = operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === written.name.value,
    );
    return this.#numberOf(value === undefined ? definition?.defaultValue : undefined, declared);
  }

  /** Number of objects in a list without pages: groups, each of which occurs once. Other lists belong to one record. */
  #listed(field: GraphQLField<unknown, unknown> | undefined, nodes: number): number {
    if (!isGroups(field)) return nodes;
    const groups = Math.max(1, this.#recordCounts.get('Group') ?? 1);
    return field?.name === 'children' ? Math.max(nodes, groups) : nodes * groups;
  }

  #ofFragment(name: string, within: Within): Size {
    const key = `${within.nodes} ${name}`;
    const before = this.#fragments.get(key);
    if (before !== undefined) return before;
    // Ends the recursion of a cycle of fragments, which another rule rejects.
    this.#fragments.set(key, NOTHING);
    const fragment = this.#measured.fragmentOf(name);
    const size = fragment
      ? this.#ofSet(fragment.selectionSet, this.#narrowed(within, fragment.typeCondition))
      : NOTHING;
    this.#fragments.set(key, size);
    return size;
  }

  #narrowed(within: Within, condition: NamedTypeNode | undefined): Within {
    return condition ? { ...within, type: this.#measured.schema.getType(condition.name.value) } : within;
  }
}

/** Cost of a field without its reads, for each of the nodes that have it. */
function ownCost(nodes: number | null, isPage: boolean): number {
  if (nodes === null) return ROOT_COST;
  return isPage ? nodes * NESTED_PAGE_COST : Math.ceil(nodes / NODES_PER_COST);
}

/** Returns true for a list of groups, of which an account has any number. */
function isGroups(field: GraphQLField<unknown, unknown> | undefined): boolean {
  return field !== undefined && isListType(getNullableType(field.type)) && getNamedType(field.type).name === 'Group';
}
