import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  Kind,
  type OperationTypeNode,
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
  /** Sum over all fields, fragments being expanded: {@link ROOT_COST} for one of the query itself, else by its page. */
  cost: 3000,
} as const;

/** A field of the query itself reads from the database; what is below it is shaped from what was read. */
const ROOT_COST = 50;

/** Nodes of the requested page for which a field below a root field costs 1. */
const NODES_PER_COST = 50;

/** Page size that counts where `first` is a variable, whose value is not known yet: the maximum. */
const MAX_PAGE = 1000;

/** Further cost of fields that compute geometry, or are read for each node, by name: `each` for each node, and at least `least`. */
const FURTHER_COSTS: ReadonlyMap<string, { readonly each: number; readonly least: number }> = new Map([
  ['path', { each: 1, least: 100 }],
  ['timed_path', { each: 1, least: 100 }],
  ['encoded_polyline', { each: 1, least: 100 }],
  ['tripPoints', { each: 1, least: 100 }],
  ['stops', { each: 0.2, least: 0 }],
  ['gaps', { each: 0.2, least: 0 }],
  ['last_trip', { each: 3, least: 0 }],
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
    const found = new Measure(context, operation.operation).ofSet(operation.selectionSet, null);
    for (const limit of ['depth', 'aliases', 'cost'] as const) {
      if (found[limit] > GRAPHQL_LIMITS[limit]) {
        const message = `The operation has a ${NOUNS[limit]} of ${found[limit]}, and at most ${GRAPHQL_LIMITS[limit]} is allowed`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      }
    }
  },
});

/** Measures selections, each fragment once, so that the time is that of reading the document, however they are nested. */
class Measure {
  readonly #context: ValidationContext;
  readonly #root: GraphQLObjectType | undefined;
  readonly #fragments = new Map<string, Size>();

  constructor(context: ValidationContext, operation: OperationTypeNode) {
    this.#context = context;
    this.#root = context.getSchema().getRootType(operation) ?? undefined;
  }

  /** @param page size of the page that the selections stand in; null for those of the operation itself */
  ofSet({ selections }: SelectionSetNode, page: number | null): Size {
    let { depth, aliases, cost } = NOTHING;
    for (const selection of selections) {
      const size = this.#ofSelection(selection, page);
      depth = Math.max(depth, size.depth);
      aliases += size.aliases;
      cost += size.cost;
    }
    return { depth, aliases, cost };
  }

  #ofSelection(selection: SelectionNode, page: number | null): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.#ofField(selection, page);
      case Kind.INLINE_FRAGMENT:
        return this.ofSet(selection.selectionSet, page);
      case Kind.FRAGMENT_SPREAD:
        return this.#ofFragment(selection.name.value, page);
    }
  }

  #ofField(field: FieldNode, page: number | null): Size {
    const name = field.name.value;
    const nodes = page ?? pageOf(field, this.#root?.getFields()[name]);
    const below = field.selectionSet ? this.ofSet(field.selectionSet, nodes) : NOTHING;
    const { each, least } = FURTHER_COSTS.get(name) ?? { each: 0, least: 0 };
    const own = page === null ? ROOT_COST : Math.ceil(page / NODES_PER_COST);
    return {
      depth: name.startsWith('__') ? 0 : below.depth + 1,
      aliases: below.aliases + (field.alias === undefined ? 0 : 1),
      cost: below.cost + own + Math.max(least, Math.ceil(each * nodes)),
    };
  }

  #ofFragment(name: string, page: number | null): Size {
    const key = `${page} ${name}`;
    const before = this.#fragments.get(key);
    if (before !== undefined) return before;
    // Ends the recursion of a circle of fragments, which another rule rejects.
    this.#fragments.set(key, NOTHING);
    const fragment = this.#context.getFragment(name);
    const size = fragment ? this.ofSet(fragment.selectionSet, page) : NOTHING;
    this.#fragments.set(key, size);
    return size;
  }
}

/** Number of nodes that a root field requests; 1 for one without pages. */
function pageOf({ arguments: given = [] }: FieldNode, field: GraphQLField<unknown, unknown> | undefined): number {
  const declared = field?.args.find(({ name }) => name === 'first');
  if (declared === undefined) return 1;
  const written = given.find(({ name }) => name.value === 'first')?.value;
  if (written === undefined || written.kind === Kind.NULL) {
    return typeof declared.defaultValue === 'number' ? declared.defaultValue : MAX_PAGE;
  }
  return written.kind === Kind.INT ? Math.min(Math.max(1, Number(written.value)), MAX_PAGE) : MAX_PAGE;
}
