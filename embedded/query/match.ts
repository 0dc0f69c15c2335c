import { BSONRegExp } from 'bson';
import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { compileExpression } from './expression.ts';
import { PLAIN } from './filter-context.ts';
import type { FilterContext } from './filter-context.ts';
import { visitPath } from './path.ts';
import type { LeafArrays } from './path.ts';
import { isTrue } from './operators/truth.ts';
import {
  bitsTest,
  equalTest,
  inTest,
  isOperators,
  modTest,
  orderTest,
  regexOperand,
  regexTest,
  sizeTest,
  typeTest,
} from './value-tests.ts';
import type { ValueTest } from './value-tests.ts';

/** Where a match happened in the outermost array, for the positional operator. */
export interface Hit {
  index?: number;
}

/** Says whether a document satisfies a filter. */
export type Matcher = (doc: Doc, hit?: Hit) => boolean;

/** Prepares a filter; throws for one that is malformed or beyond this server. */
export function compileFilter(filter: Doc, context: FilterContext = PLAIN): Matcher {
  const parts = [...filter].map(([name, operand]) =>
    name.startsWith('$') ? compileLogical(name, operand, context) : compileField(name.split('.'), operand, context),
  );
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (doc, hit) => parts.every((part) => part(doc, hit));
}

/** Prepares the condition of `$elemMatch` or `$pull` on one array element. */
export function compileElement(operand: Value, context: FilterContext = PLAIN): (element: Value) => boolean {
  if (isOperators(operand) && ![...operand.keys()].some((name) => LOGICAL.has(name))) {
    const matcher = compileField(['element'], operand, context, 'whole');
    return (element) => matcher(new Map([['element', element]]));
  }
  const matcher = compileFilter(docOf('$elemMatch', operand), context);
  return (element) =>
    isDoc(element)
      ? matcher(element)
      : Array.isArray(element) && matcher(new Map(element.map((e, i) => [String(i), e])));
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$expr', '$comment']);

function compileLogical(name: string, operand: Value, context: FilterContext): Matcher {
  switch (name) {
    case '$and': {
      const branches = branchesOf(name, operand, context);
      return (doc, hit) => branches.every((branch) => branch(doc, hit));
    }
    case '$or': {
      const branches = branchesOf(name, operand, context);
      return (doc, hit) => branches.some((branch) => branch(doc, hit));
    }
    case '$nor': {
      const branches = branchesOf(name, operand, context);
      return (doc) => !branches.some((branch) => branch(doc));
    }
    case '$expr': {
      if (context.collator) throw unsupported('$expr under a collation');
      const expression = compileExpression(operand);
      return (doc) => isTrue(expression({ root: doc, variables: context.variables }));
    }
    case '$comment':
      return () => true;
    case '$alwaysTrue':
      return () => true;
    case '$alwaysFalse':
      return () => false;
    case '$where':
    case '$text':
    case '$jsonSchema':
    case '$sampleRate':
      throw unsupported(`Query operator ${name}`);
    default:
      throw new MongoError(
        'BadValue',
        `unknown top level operator: ${name}. If you are trying to negate an entire expression, use $nor.`,
      );
  }
}

function branchesOf(name: string, operand: Value, context: FilterContext): Matcher[] {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', `${name} must be an array`);
  if (operand.length === 0) throw new MongoError('BadValue', '$and/$or/$nor must be a nonempty array');
  return operand.map((branch) => compileFilter(docOf(name, branch), context));
}

function compileField(path: string[], operand: Value, context: FilterContext, leaf: LeafArrays = 'expand'): Matcher {
  if (!isOperators(operand))
    return visitor(path, leaf, operand instanceof BSONRegExp ? regexTest(operand) : equalTest(operand, context));
  const parts = [...operand].map(([name, value]) => compileOperator(path, name, value, operand, context, leaf));
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (doc, hit) => parts.every((part) => part(doc, hit));
}

/** A matcher that is true where any value at the path passes the test. */
function visitor(path: readonly string[], leaf: LeafArrays, test: ValueTest): Matcher {
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

function compileOperator(
  path: string[],
  name: string,
  operand: Value,
  all: Doc,
  context: FilterContext,
  leaf: LeafArrays,
): Matcher {
  switch (name) {
    case '$eq':
      return visitor(path, leaf, equalTest(operand, context));
    case '$ne':
      if (operand instanceof BSONRegExp) throw new MongoError('BadValue', "Can't have regex as arg to $ne.");
      return not(visitor(path, leaf, equalTest(operand, context)));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp)
        throw new MongoError('BadValue', `Can't have RegEx as arg to predicate over field '${path.join('.')}'.`);
      return visitor(path, leaf, orderTest(name, operand, context));
    case '$in':
      return visitor(path, leaf, inTest(name, operand, context));
    case '$nin':
      return not(visitor(path, leaf, inTest(name, operand, context)));
    case '$exists': {
      const exists = visitor(path, leaf, (value) => value !== undefined);
      return isTrue(operand) ? exists : not(exists);
    }
    case '$not': {
      if (operand instanceof BSONRegExp) return not(visitor(path, leaf, regexTest(operand)));
      if (!isOperators(operand)) throw new MongoError('BadValue', '$not needs a regex or a document');
      return not(compileField(path, operand, context, leaf));
    }
    case '$type':
      return visitor(path, leaf, typeTest(operand));
    case '$regex':
      return visitor(path, leaf, regexTest(regexOperand(operand, all.get('$options'))));
    case '$options':
      if (!all.has('$regex')) throw new MongoError('BadValue', '$options needs a $regex');
      return () => true;
    case '$mod':
      return visitor(path, leaf, modTest(operand));
    case '$size':
      return visitor(path, 'whole', sizeTest(operand));
    case '$all':
      return compileAll(path, operand, context, leaf);
    case '$elemMatch':
      return compileElemMatch(path, operand, context);
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return visitor(path, leaf, bitsTest(name, operand));
    case '$comment':
      return () => true;
    case '$geoWithin':
    case '$geoIntersects':
    case '$near':
    case '$nearSphere':
    case '$within':
      throw unsupported(`Query operator ${name}`);
    default:
      throw new MongoError('BadValue', `unknown operator: ${name}`);
  }
}

function compileAll(path: string[], operand: Value, context: FilterContext, leaf: LeafArrays): Matcher {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', '$all needs an array');
  if (operand.length === 0) return () => false;
  const parts = operand.map((value) => {
    if (isOperators(value)) {
      if (!value.has('$elemMatch')) throw new MongoError('BadValue', 'no $ expressions in $all');
      return compileField(path, value, context);
    }
    return visitor(path, leaf, value instanceof BSONRegExp ? regexTest(value) : equalTest(value, context));
  });
  return (doc, hit) => parts.every((part) => part(doc, hit));
}

function compileElemMatch(path: string[], operand: Value, context: FilterContext): Matcher {
  if (!isDoc(operand)) throw new MongoError('BadValue', '$elemMatch needs an Object');
  const element = compileElement(operand, context);
  return (doc, hit) =>
    visitPath(doc, path, 'whole', (value, index) => {
      if (!Array.isArray(value)) return false;
      const found = value.findIndex(element);
      if (found < 0) return false;
      if (hit) hit.index ??= index ?? found;
      return true;
    });
}

function docOf(name: string, value: Value): Doc {
  if (!isDoc(value)) throw new MongoError('BadValue', `${name} argument must be an object`);
  return value;
}
