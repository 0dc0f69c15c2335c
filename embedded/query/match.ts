import { BSONRegExp } from 'bson';
import { MongoError, check, docOf, unsupported } from '../bson/mongo-error.ts';
import { isTrue } from '../bson/numbers.ts';
import { isDoc, mapOf, type Doc, type Value } from '../bson/value.ts';
import { compileExpression } from './expression.ts';
import { PLAIN, type FilterContext } from './filter-context.ts';
import { visitPath } from './path.ts';
import { TESTS, equalTest, inTest, isOperators, regexTest, sizeTest } from './value-tests.ts';
import type { Field, ValueTest } from './value-tests.ts';

/** The place of a match in the outermost array, for the positional operator. */
export interface Hit {
  index?: number;
}

/** Returns true if a document satisfies a filter. */
export type Matcher = (doc: Doc, hit?: Hit) => boolean;

/** Prepares a filter; throws for one that is malformed or not supported. */
export function compileFilter(filter: Doc, context: FilterContext = PLAIN): Matcher {
  return every(
    [...filter].map(([name, operand]) =>
      name.startsWith('$')
        ? compileLogical(name, operand, context)
        : compileField(operand, { path: name.split('.'), context, leaf: 'expand', siblings: NONE }),
    ),
  );
}

/** The top-level fields on which a filter depends; null if it may depend on all. */
export function fieldsOf(filter: Doc): ReadonlySet<string> | null {
  const fields = new Set<string>();
  for (const [name, operand] of filter) {
    if (!name.startsWith('$')) fields.add(name.split('.', 1)[0] ?? name);
    else if (JOINS.has(name) && Array.isArray(operand)) {
      for (const branch of operand.filter(isDoc).map(fieldsOf)) {
        if (!branch) return null;
        for (const field of branch) fields.add(field);
      }
    } else if (name !== '$comment') return null;
  }
  return fields;
}

/** Prepares the condition of `$elemMatch` or `$pull` on one array element. */
export function compileElement(operand: Value, context: FilterContext = PLAIN): (element: Value) => boolean {
  if (isOperators(operand) && ![...operand.keys()].some((name) => LOGICAL.has(name))) {
    const matcher = compileField(operand, { path: ['element'], context, leaf: 'whole', siblings: NONE });
    return (element) => matcher(new Map([['element', element]]));
  }
  const matcher = compileFilter(docOf('$elemMatch', operand), context);
  return (element) =>
    isDoc(element)
      ? matcher(element)
      : Array.isArray(element) && matcher(new Map(element.map((e, i) => [String(i), e])));
}

const NONE: Doc = new Map();

/** The logical operators: each joins the results of its branches for a document. */
const JOINS = mapOf<(branches: Matcher[], doc: Doc, hit?: Hit) => boolean>({
  $and: (branches, doc, hit) => branches.every((branch) => branch(doc, hit)),
  $or: (branches, doc, hit) => branches.some((branch) => branch(doc, hit)),
  $nor: (branches, doc) => !branches.some((branch) => branch(doc)),
});

/** The operators that make the operand of `$elemMatch` a filter on the element. */
const LOGICAL = new Set([...JOINS.keys(), '$expr', '$comment']);

const CONSTANTS = mapOf({ $comment: true, $alwaysTrue: true, $alwaysFalse: false });

/** Operators of MongoDB that this server does not have; any other name is not an operator. */
const UNSUPPORTED = new Set(['$where', '$text', '$jsonSchema', '$sampleRate']);
const UNSUPPORTED_ON_FIELDS = new Set(['$geoWithin', '$geoIntersects', '$near', '$nearSphere', '$within']);

function compileLogical(name: string, operand: Value, context: FilterContext): Matcher {
  const join = JOINS.get(name);
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return () => constant;
  if (join) {
    check(Array.isArray(operand), 'BadValue', `${name} must be an array`);
    check(operand.length > 0, 'BadValue', '$and/$or/$nor must be a nonempty array');
    const branches = operand.map((branch) => compileFilter(docOf(name, branch), context));
    return (doc, hit) => join(branches, doc, hit);
  }
  if (name === '$expr') {
    if (context.collator) throw unsupported('$expr under a collation');
    const expression = compileExpression(operand);
    return (doc) => isTrue(expression({ root: doc, variables: context.variables }));
  }
  if (UNSUPPORTED.has(name)) throw unsupported(`Query operator ${name}`);
  const advice = 'If you are trying to negate an entire expression, use $nor.';
  throw new MongoError('BadValue', `unknown top level operator: ${name}. ${advice}`);
}

function compileField(operand: Value, field: Field): Matcher {
  if (!isOperators(operand)) return visitor(field, patternOrEqual(operand, field));
  return every([...operand].map(([name, value]) => compileOperator(value, { ...field, siblings: operand }, name)));
}

function every(parts: Matcher[]): Matcher {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (doc, hit) => parts.every((part) => part(doc, hit));
}

/** A matcher that is true if any value at the path passes the test. */
function visitor({ path, leaf }: Field, test: ValueTest): Matcher {
  return (doc, hit) =>
    visitPath(doc, path, leaf, (value, index) => {
      if (!test(value)) return false;
      if (hit && index !== undefined) hit.index ??= index;
      return true;
    });
}

function not(matcher: Matcher): Matcher {
  return (doc) => !matcher(doc);
}

function patternOrEqual(operand: Value, field: Field): ValueTest {
  return operand instanceof BSONRegExp ? regexTest(operand) : equalTest(operand, field);
}

function compileOperator(operand: Value, field: Field, name: string): Matcher {
  const compile = TESTS.get(name);
  if (compile) return visitor(field, compile(operand, field, name));
  const special = SPECIAL.get(name);
  if (special) return special(operand, field);
  if (UNSUPPORTED_ON_FIELDS.has(name)) throw unsupported(`Query operator ${name}`);
  throw new MongoError('BadValue', `unknown operator: ${name}`);
}

/** The operators on a field that do more than test each of its values. */
const SPECIAL = mapOf<(operand: Value, field: Field) => Matcher>({
  $comment: () => () => true,
  $ne: (operand, field) => {
    check(!(operand instanceof BSONRegExp), 'BadValue', "Can't have regex as arg to $ne.");
    return not(visitor(field, equalTest(operand, field)));
  },
  $nin: (operand, field) => not(visitor(field, inTest(operand, field, '$nin'))),
  $exists: (operand, field) => {
    const exists = visitor(field, (value) => value !== undefined);
    return isTrue(operand) ? exists : not(exists);
  },
  $not: (operand, field) => {
    if (operand instanceof BSONRegExp) return not(visitor(field, regexTest(operand)));
    check(isOperators(operand), 'BadValue', '$not needs a regex or a document');
    return not(compileField(operand, field));
  },
  $options: (_operand, { siblings }) => {
    check(siblings.has('$regex'), 'BadValue', '$options needs a $regex');
    return () => true;
  },
  $size: (operand, field) => visitor({ ...field, leaf: 'whole' }, sizeTest(operand)),
  $all: (operand, field) => {
    check(Array.isArray(operand), 'BadValue', '$all needs an array');
    if (operand.length === 0) return () => false;
    const parts = operand.map((value) => {
      if (!isOperators(value)) return visitor(field, patternOrEqual(value, field));
      check(value.has('$elemMatch'), 'BadValue', 'no $ expressions in $all');
      return compileField(value, { ...field, leaf: 'expand' });
    });
    return every(parts);
  },
  $elemMatch: (operand, { path, context }) => {
    check(isDoc(operand), 'BadValue', '$elemMatch needs an Object');
    const element = compileElement(operand, context);
    return (doc, hit) =>
      visitPath(doc, path, 'whole', (value, index) => {
        const found = Array.isArray(value) ? value.findIndex(element) : -1;
        if (hit && found >= 0) hit.index ??= index ?? found;
        return found >= 0;
      });
  },
});
