import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  Kind,
  type Token,
  TokenKind,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  valueFromASTUntyped,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A variable where it is used, as an argument or as a member of an input. */
interface Use {
  /** Name of the argument or member. */
  readonly name: string;
  readonly description: string | null | undefined;
}

/** Uses of variables by their names; the first of each. */
export type VariableUses = ReadonlyMap<string, Use>;

/** Finds what the variables of a document are used for. */
export function variableUses(schema: GraphQLSchema, document: DocumentNode): VariableUses {
  const uses = new Map<string, Use>();
  const types = new TypeInfo(schema);
  const note = (value: ValueNode, use: Use) => {
    if (value.kind === Kind.VARIABLE && !uses.has(value.name.value)) uses.set(value.name.value, use);
  };
  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.ARGUMENT]: ({ name, value }) =>
        note(value, { name: name.value, description: types.getArgument()?.description }),
      [Kind.OBJECT_FIELD]: ({ name, value }) => {
        const input = getNamedType(types.getParentInputType());
        const member = isInputObjectType(input) ? input.getFields()[name.value] : undefined;
        note(value, { name: name.value, description: member?.description });
      },
    }),
  );
  return uses;
}

/**
 * The argument of a path that a variable is. It is described by the comment above it, or else by what it is used for.
 *
 * @throws TypeError for a type that the schema does not have
 */
export function argumentOf(
  schema: GraphQLSchema,
  { variable, type: written, defaultValue, loc }: VariableDefinitionNode,
  uses: VariableUses,
): GraphQLArgument {
  const name = variable.name.value;
  const type = typeFromAST(schema, written);
  if (!isInputType(type)) throw new TypeError(`the type of $${name} must be one of an argument`);
  return {
    name,
    type,
    description: commentAbove(loc?.startToken) ?? uses.get(name)?.description ?? `The variable \`${name}\`.`,
    defaultValue: defaultValue && valueFromASTUntyped(defaultValue),
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

/** Returns true if a URL can have values of a type: scalars, enums, and lists of them. */
export function isOfUrl(type: GraphQLInputType): boolean {
  const definite = getNullableType(type);
  return isLeafType(isListType(definite) ? getNullableType(definite.ofType) : definite);
}

/** The comment directly above a token, as one text; null if there is none. */
export function commentAbove(token: Token | undefined): string | null {
  const lines: string[] = [];
  let below = token;
  for (
    let line = token?.prev;
    line?.kind === TokenKind.COMMENT && below && line.line === below.line - 1;
    line = line.prev
  ) {
    lines.unshift(line.value.trim());
    below = line;
  }
  const text = lines.join(' ').trim();
  return text === '' ? null : text;
}
