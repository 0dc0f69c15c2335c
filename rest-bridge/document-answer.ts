import {
  getNamedType,
  getNullableType,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { FLAT } from '../schema/routes/route-directives.ts';

import { hasDirective, type SelectedField, type SelectedFields } from './selected-fields.ts';

/** The body of responses of a document, by its result. */
export interface DocumentAnswer {
  /** The type of the body, whose objects have the members of the result. */
  readonly type: GraphQLOutputType;
  /** The body of a result; null if one of the objects around it is. */
  readonly bodyOf: (data: unknown) => unknown;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads how a document answers.
 *
 * @param name begins the names of the types
 * @param path the member that is the body: `vehicles.nodes`
 * @throws TypeError if there is no such member, or `@flat` cannot be applied
 */
export function documentAnswer(name: string, selected: SelectedFields, path: string | null): DocumentAnswer {
  const root = new GraphQLObjectType({ name: `${name}Answer`, fields: membersOf(name, selected) });
  const flatten = flattening(selected);
  const members = Object.keys(root.getFields());
  const names = path?.split('.') ?? (members.length === 1 ? members : []);
  let type: GraphQLOutputType = root;
  for (const member of names) {
    const object: unknown = getNullableType(type);
    const found: GraphQLOutputType | undefined = isObjectType(object) ? object.getFields()[member]?.type : undefined;
    if (!found) throw new TypeError(`answer must be a member of the result, and ${member} is not one of an object`);
    type = found;
  }
  const find = (result: unknown) =>
    names.reduce((value: unknown, member) => (value as Values | null)?.[member] ?? null, result);
  return { type, bodyOf: flatten === null ? find : (data) => find(flatten(data)) };
}

/** A member of an object type; `mayBeAbsent` of its extensions is true if results may lack it. */
type Member = GraphQLFieldConfig<unknown, unknown>;

/** The members of an object, with those of flat ones in their place. @throws TypeError */
function membersOf(path: string, selected: SelectedFields): Record<string, Member> {
  const members: Record<string, Member> = {};
  for (const [name, one] of selected) {
    const { field, isOptional } = one;
    const type = typeOf(`${path}_${name}`, one);
    const object = isFlat(one) ? getNullableType(type) : null;
    if (object && !isObjectType(object)) throw new TypeError(`@flat must be at an object; ${name} is not one`);
    const own: Record<string, Member> = { [name]: { type, description: field.description } };
    for (const [inner, member] of Object.entries(object ? object.toConfig().fields : own)) {
      if (Object.hasOwn(members, inner)) throw new TypeError(`@flat puts two members ${inner} into one object`);
      members[inner] = {
        type: object && !isNonNullType(field.type) ? getNullableType(member.type) : member.type,
        description: member.description,
        extensions: isOptional ? { mayBeAbsent: true } : member.extensions,
      };
    }
  }
  return members;
}

function typeOf(name: string, { field, below }: SelectedField): GraphQLOutputType {
  const { description } = getNamedType(field.type);
  const object = below.size > 0 && new GraphQLObjectType({ name, description, fields: membersOf(name, below) });
  const wrapped = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(wrapped(type.ofType));
    return isListType(type) ? new GraphQLList(wrapped(type.ofType)) : object || type;
  };
  return wrapped(field.type);
}

function isFlat({ node }: SelectedField): boolean {
  return hasDirective(node, FLAT.name);
}

type Flatten = (value: unknown) => unknown;

/** Moves the members of flat objects; null if there are none. */
function flattening(selected: SelectedFields): Flatten | null {
  const inner = new Map([...selected].map(([name, { below }]) => [name, flattening(below)]));
  const flat = new Map([...selected].filter(([, one]) => isFlat(one)).map(([name, one]) => [name, emptyOf(one)]));
  if (flat.size === 0 && [...inner.values()].every((flatten) => flatten === null)) return null;
  const flatten: Flatten = (value) => {
    if (Array.isArray(value)) return value.map(flatten);
    if (value === null) return null;
    const members: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value as Values)) {
      const flattened = inner.get(name)?.(member) ?? member;
      const empty = flat.get(name);
      if (empty === undefined) members[name] = flattened;
      else Object.assign(members, flattened ?? empty);
    }
    return members;
  };
  return flatten;
}

/** The members of a flat object that is null. */
function emptyOf({ below }: SelectedField): Values {
  const members = [...below].map(([name, one]) => (isFlat(one) ? emptyOf(one) : { [name]: null }));
  return Object.assign({}, ...members);
}
