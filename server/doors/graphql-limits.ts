import {
  type FieldNode,
  GraphQLError,
  Kind,
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
  /** Sum over all fields, fragments being expanded: {@link ROOT_COST} for one of the query itself, else 1. */
  cost: 3000,
} as const;

/** A field of the query itself reads from the database; what is below it is shaped from what was read. */
const ROOT_COST = 50;

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly cost: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, cost: 0 };
const NOUNS = { depth: 'depth', aliases: 'number of aliases', cost: 'cost' } as const;

/** Refuses an operation beyond {@link GRAPHQL_LIMITS}, naming the limit. Tokens are counted by the parser before. */
export const limitsRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const found = new Measure(context).ofSet(operation.selectionSet, ROOT_COST);
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
  readonly #fragments = new Map<string, Size>();

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  /** @param fieldCost cost of the fields of this level; those within them cost 1 */
  ofSet({ selections }: SelectionSetNode, fieldCost: number): Size {
    let { depth, aliases, cost } = NOTHING;
    for (const selection of selections) {
      const size = this.#ofSelection(selection, fieldCost);
      depth = Math.max(depth, size.depth);
      aliases += size.aliases;
      cost += size.cost;
    }
    return { depth, aliases, cost };
  }

  #ofSelection(selection: SelectionNode, fieldCost: number): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.#ofField(selection, fieldCost);
      case Kind.INLINE_FRAGMENT:
        return this.ofSet(selection.selectionSet, fieldCost);
      case Kind.FRAGMENT_SPREAD:
        return this.#ofFragment(selection.name.value, fieldCost);
    }
  }

  #ofField({ name, alias, selectionSet }: FieldNode, fieldCost: number): Size {
    const below = selectionSet ? this.ofSet(selectionSet, 1) : NOTHING;
    return {
      depth: name.value.startsWith('__') ? 0 : below.depth + 1,
      aliases: below.aliases + (alias === undefined ? 0 : 1),
      cost: below.cost + fieldCost,
    };
  }

  #ofFragment(name: string, fieldCost: number): Size {
    const key = `${fieldCost} ${name}`;
    const before = this.#fragments.get(key);
    if (before !== undefined) {
      return before;
    }
    // Stands while the fragment is looked at, lest a circle, which another rule refuses, be followed for ever.
    this.#fragments.set(key, NOTHING);
    const fragment = this.#context.getFragment(name);
    const size = fragment ? this.ofSet(fragment.selectionSet, fieldCost) : NOTHING;
    this.#fragments.set(key, size);
    return size;
  }
}
