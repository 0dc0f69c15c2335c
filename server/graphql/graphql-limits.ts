import {
  type FieldNode,
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** The greatest operation that is executed; each is generous for a client and small for the service. */
export const GRAPHQL_LIMITS = {
  /** Tokens of a document: names, punctuation, values. */
  tokens: 2000,
  /** Fields within each other; introspection is not counted, which graphql-js bounds by itself. */
  depth: 15,
  /** Fields under another name, fragments being expanded. */
  aliases: 50,
  /** Sum over all fields, fragments being expanded: {@link ROOT_COST} for one of the query itself, else by its nodes. */
  cost: 3000,
} as const;

/** A field of the query itself reads from the database; what is below it is shaped from what was read. */
const ROOT_COST = 50;

/** A list below reads from the database as well, for each node that has it. */
const NESTED_LIST_COST = 10;

/** Nodes, of all lists above it together, for which a field below a root field costs 1. */
const NODES_PER_COST = 50;

/** Page size that counts where `first` is a variable, whose value is not known yet: the maximum. */
const MAX_PAGE = 1000;

/** Further cost of fields that compute geometry, or are read for each node: `each` for each node, and at least `least`. */
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
const NOUNS = { depth: 'depth', aliases: 'number of aliases', cost: 'cost' } as const;

/** Rejects an operation beyond {@link GRAPHQL_LIMITS}, naming the limit. The parser has counted the tokens. */
export const limitsRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const root = context.getSchema().getRootType(operation.operation) ?? undefined;
    const measure = new Measure(context);
    const found = measure.ofSet(operation.selectionSet, { type: root, nodes: null });
    for (const limit of ['depth', 'aliases', 'cost'] as const) {
      if (found[limit] > GRAPHQL_LIMITS[limit]) {
        const message = `The operation has a ${NOUNS[limit]} of ${found[limit]}, and at most ${GRAPHQL_LIMITS[limit]} is allowed`;
        const advice = limit === 'cost' ? `; ${measure.costliest.name} alone costs ${measure.costliest.cost}` : '';
        context.reportError(new GraphQLError(message + advice, { nodes: operation }));
      }
    }
  },
});

/** Place of selections in an operation. */
interface Within {
  /** Type of which they select; undefined below a field that does not exist, which another rule rejects. */
  readonly type: GraphQLNamedType | undefined;
  /** Number of nodes, of all lists above together; null for the operation itself. */
  readonly nodes: number | null;
}

/** Measures selections, each fragment once, so that the time is that of reading the document, however they are nested. */
class Measure {
  readonly #context: ValidationContext;
  readonly #fragments = new Map<string, Size>();
  #costliest = { name: '', cost: 0 };

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  /** The field of the greatest cost by itself among those that have been measured, as `Type.field`. */
  get costliest(): { readonly name: string; readonly cost: number } {
    return this.#costliest;
  }

  ofSet({ selections }: SelectionSetNode, within: Within): Size {
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
        return this.ofSet(selection.selectionSet, this.#narrowed(within, selection.typeCondition));
      case Kind.FRAGMENT_SPREAD:
        return this.#ofFragment(selection.name.value, within);
    }
  }

  #ofField(selected: FieldNode, { type, nodes }: Within): Size {
    const name = selected.name.value;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const page = pageOf(selected, field);
    const within = { type: field && getNamedType(field.type), nodes: (nodes ?? 1) * (page ?? 1) };
    const below = selected.selectionSet ? this.ofSet(selected.selectionSet, within) : NOTHING;
    const coordinate = `${type?.name}.${name}`;
    const { each, least } = FURTHER_COSTS.get(coordinate) ?? { each: 0, least: 0 };
    const cost = ownCost(nodes, page) + Math.max(least, Math.ceil(each * within.nodes));
    if (cost > this.#costliest.cost) this.#costliest = { name: coordinate, cost };
    return {
      depth: name.startsWith('__') ? 0 : below.depth + 1,
      aliases: below.aliases + (selected.alias === undefined ? 0 : 1),
      cost: below.cost + cost,
    };
  }

  #ofFragment(name: string, within: Within): Size {
    const key = `${within.nodes} ${name}`;
    const before = this.#fragments.get(key);
    if (before !== undefined) return before;
    // Ends the recursion of a circle of fragments, which another rule rejects.
    this.#fragments.set(key, NOTHING);
    const fragment = this.#context.getFragment(name);
    const size = fragment ? this.ofSet(fragment.selectionSet, this.#narrowed(within, fragment.typeCondition)) : NOTHING;
    this.#fragments.set(key, size);
    return size;
  }

  #narrowed({ type, nodes }: Within, condition: NamedTypeNode | undefined): Within {
    return { type: condition ? this.#context.getSchema().getType(condition.name.value) : type, nodes };
  }
}

/** Cost of a field by itself, for each of the nodes that have it. */
function ownCost(nodes: number | null, page: number | null): number {
  if (nodes === null) return ROOT_COST;
  return page === null ? Math.ceil(nodes / NODES_PER_COST) : nodes * NESTED_LIST_COST;
}

/** Number of nodes that a field requests of each list; null for one without pages. */
function pageOf({ arguments: given = [] }: FieldNode, field: GraphQLField<unknown, unknown> | undefined) {
  const declared = field?.args.find(({ name }) => name === 'first');
  if (declared === undefined) return null;
  const written = given.find(({ name }) => name.value === 'first')?.value;
  if (written === undefined || written.kind === Kind.NULL) {
    return typeof declared.defaultValue === 'number' ? declared.defaultValue : MAX_PAGE;
  }
  return written.kind === Kind.INT ? Math.min(Math.max(1, Number(written.value)), MAX_PAGE) : MAX_PAGE;
}
