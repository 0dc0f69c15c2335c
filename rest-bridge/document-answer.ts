import {
  getNamedType,
  getNullableType,
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

type Members = Readonly<Record<string, unknown>>;

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
    names.reduce((value: unknown, member) => (value as Members | null)?.[member] ?? null, result);
  return { type, bodyOf: flatten === null ? find : (data) => find(flatten(data)) };
}

/** The members of an object, with those of flat ones in their place. @throws TypeError */
function membersOf(path: string, selected: SelectedFields) {
  const members: Record<string, Member> = {};
  const put = (name: string, member: Member) => {
    if (Object.hasOwn(members, name)) throw new TypeError(`@${FLAT.name} puts two members ${name} into one object`);
    members[name] = member;
  };
  for (const [name, one] of selected) {
    const type = typeOf(`${path}_${name}`, one);
    const object = getNullableType(type);
    if (!isFlat(one)) put(name, memberOf(one, type));
    else if (!isObjectType(object)) throw new TypeError(`@${FLAT.name} must be at an object, and ${name} is none`);
    else for (const [inner, member] of Object.entries(object.toConfig().fields)) put(inner, within(one, member));
  }
  return members;
}

/** A member of an object type; `mayBeAbsent` of its extensions is true if results may lack it. */
interface Member {
  readonly type: GraphQLOutputType;
  readonly description?: string | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

function memberOf({ field: { description }, isOptional }: SelectedField, type: GraphQLOutputType): Member {
  return { type, description, ...(isOptional && { extensions: { mayBeAbsent: true } }) };
}

/** A member of an object that is flat: null if the object is. */
function within({ field, isOptional }: SelectedField, member: Member): Member {
  return {
    type: isNonNullType(field.type) ? member.type : getNullableType(member.type),
    description: member.description,
    extensions: isOptional ? { mayBeAbsent: true } : member.extensions,
  };
}

function typeOf(name: string, { field, below }: SelectedField): GraphQLOutputType {
  const named = getNamedType(field.type);
  const { description } = named;
  const object = below && new GraphQLObjectType({ name, description, fields: membersOf(name, below) });
  const wrapped = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(wrapped(type.ofType));
    return isListType(type) ? new GraphQLList(wrapped(type.ofType)) : (object ?? type);
  };
  return wrapped(field.type);
}

function isFlat({ node }: SelectedField): boolean {
  return hasDirective(node, FLAT.name);
}

type Flatten = (value: unknown) => unknown;

/** Moves the members of flat objects; null if there are none. */
function flattening(selected: SelectedFields): Flatten | null {
  const inner = new Map([...selected].map(([name, { below }]) => [name, below && flattening(below)]));
  const flat = new Map([...selected].filter(([, one]) => isFlat(one)).map(([name, one]) => [name, emptyOf(one)]));
  if (flat.size === 0 && [...inner.values()].every((flatten) => flatten === null)) return null;
  const ofObject = (object: Members) => {
    const members: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(object)) {
      const flattened = inner.get(name)?.(value) ?? value;
      const empty = flat.get(name);
      if (empty === undefined) members[name] = flattened;
      else Object.assign(members, flattened ?? empty);
    }
    return members;
  };
  const flatten: Flatten = (value) =>
    Array.isArray(value)
      ? value.map(flatten)
      : value === null || value === undefined
        ? value
        : ofObject(value as Members);
  return flatten;
}

/** The members of a flat object that is null. */
function emptyOf({ below }: SelectedField): Members {
  return Object.fromEntries(
    [...(below ?? [])].flatMap(([name, one]) => (isFlat(one) ? Object.entries(emptyOf(one)) : [[name, null]])),
  );
}
