import { BSONRegExp, Binary, MaxKey, MinKey } from 'bson';
import { MongoError, unsupported } from '../mongo-error.ts';
import { NULL_KEY, keyOf } from '../bson/key.ts';
import { isNumeric, toBigInt, toNumber, truncated } from '../bson/numbers.ts';
import { TYPE_NUMBERS, isDoc, typeOf } from '../bson/value.ts';
import type { Doc, Maybe, TypeName, Value } from '../bson/value.ts';
import { compileExpression } from './expression.ts';
import { PLAIN } from './filter-context.ts';
import type { FilterContext } from './filter-context.ts';
import { isTrue } from './operators.ts';
import { visitPath } from './path.ts';
import type { LeafArrays } from './path.ts';
import { compileRegex } from './regex.ts';

/** Where a match happened in the outermost array, for the positional operator. */
export interface Hit {
  index?: number;
}

/** Says whether a document satisfies a filter. */
export type Matcher = (doc: Doc, hit?: Hit) => boolean;

/** Says whether one value satisfies a condition; undefined is a missing field. */
type Test = (value: Maybe) => boolean;

/** Prepares a filter; throws for one that is malformed or beyond this server. */
export function compileFilter(filter: Doc, context: FilterContext = PLAIN): Matcher {
  const parts = [...filter].map(([name, operand]) =>
    name.startsWith('$') ? compileLogical(name, operand, context) : compileField(name.split('.'), operand, context),
  );
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (doc, hit) => parts.every((part) => part(doc, hit));
}

/** Says whether a value is a document of query operators, such as `{ $gt: 5 }`. */
export function isOperators(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = value.keys();
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
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
function visitor(path: readonly string[], leaf: LeafArrays, test: Test): Matcher {
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

function equalTest(operand: Value, { collator }: FilterContext): Test {
  if (collator && typeof operand === 'string')
    return (value) => typeof value === 'string' && collator.compare(value, operand) === 0;
  if (collator && typeof operand === 'object' && (isDoc(operand) || Array.isArray(operand)))
    throw unsupported('A document or an array compared under a collation');
  if (operand === null) return (value) => value === undefined || value === null;
  if (typeof operand === 'string') return (value) => value === operand;
  const key = keyOf(operand);
  return (value) => value !== undefined && keyOf(value).equals(key);
}

function orderTest(name: string, operand: Value, { collator }: FilterContext): Test {
  if (collator && typeof operand !== 'number' && !(operand instanceof Date))
    throw unsupported('A range of this type under a collation');
  const key = keyOf(operand);
  const test = (order: number) =>
    name === '$gt' ? order > 0 : name === '$gte' ? order >= 0 : name === '$lt' ? order < 0 : order <= 0;
  if (operand === null) return (value) => (value === undefined || value === null) && name.endsWith('e');
  if (isNaNValue(operand)) return (value) => name.endsWith('e') && isNaNValue(value);
  const anyType = operand instanceof MinKey || operand instanceof MaxKey;
  return (value) => {
    if (value === undefined || isNaNValue(value)) return false;
    const other = keyOf(value);
    return (anyType || other[0] === key[0]) && test(Buffer.compare(other, key));
  };
}

function inTest(name: string, operand: Value, context: FilterContext): Test {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', `${name} needs an array`);
  if (operand.some(isOperators)) throw new MongoError('BadValue', `cannot nest $ under ${name}`);
  const patterns = operand.filter((value) => value instanceof BSONRegExp).map(regexTest);
  if (context.collator) {
    const equal = operand.filter((value) => !(value instanceof BSONRegExp)).map((value) => equalTest(value, context));
    return (value) => [...equal, ...patterns].some((test) => test(value));
  }
  const keys = new Set(operand.map((value) => keyOf(value).toString('latin1')));
  const hasNull = keys.has(NULL_KEY.toString('latin1'));
  return (value) => {
    if (value === undefined) return hasNull;
    return keys.has(keyOf(value).toString('latin1')) || patterns.some((pattern) => pattern(value));
  };
}

function regexTest(regex: BSONRegExp): Test {
  const compiled = compileRegex(regex.pattern, regex.options);
  const key = keyOf(regex);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    if (value === undefined) return false;
    return typeOf(value) === 'symbol' ? compiled.test(String(value)) : keyOf(value).equals(key);
  };
}

function regexOperand(operand: Value, options: Maybe): BSONRegExp {
  if (operand instanceof BSONRegExp)
    return typeof options === 'string' ? new BSONRegExp(operand.pattern, options) : operand;
  if (typeof operand !== 'string') throw new MongoError('BadValue', '$regex has to be a string');
  if (options !== undefined && typeof options !== 'string')
    throw new MongoError('BadValue', '$options has to be a string');
  return new BSONRegExp(operand, [...(options ?? '')].sort().join(''));
}

function typeTest(operand: Value): Test {
  const wanted = (Array.isArray(operand) ? operand : [operand]).map(typeNamed);
  return (value) => {
    if (value === undefined) return false;
    const type = typeOf(value);
    return wanted.some((name) => name === type || (name === 'number' && isNumeric(value)));
  };
}

function typeNamed(value: Value): TypeName | 'number' {
  if (value === 'number') return value;
  const wanted = isNumeric(value) ? toNumber(value) : value;
  const found = Object.entries(TYPE_NUMBERS).find(([name, number]) => name === wanted || number === wanted);
  if (!found) throw new MongoError('BadValue', `Unknown type name alias or code: ${String(wanted)}`);
  return found[0] as TypeName;
}

function modTest(operand: Value): Test {
  if (!Array.isArray(operand) || operand.length !== 2)
    throw new MongoError('BadValue', 'malformed mod, needs to be an array of two numbers');
  const [divisor, rest] = operand.map((part) => (isNumeric(part) ? truncated(part) : undefined));
  if (divisor === undefined || rest === undefined)
    throw new MongoError('BadValue', 'malformed mod, divisor and remainder must be numbers');
  if (divisor === 0n) throw new MongoError('BadValue', 'divisor cannot be 0');
  return (value) => {
    const number = isNumeric(value) ? truncated(value) : undefined;
    return number !== undefined && number % divisor === rest;
  };
}

function sizeTest(operand: Value): Test {
  const size = isNumeric(operand) ? toBigInt(operand) : undefined;
  if (size === undefined) throw new MongoError('BadValue', '$size must be a whole number');
  if (size < 0n) throw new MongoError('BadValue', '$size may not be negative');
  return (value) => Array.isArray(value) && BigInt(value.length) === size;
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

function bitsTest(name: string, operand: Value): Test {
  const mask = maskOf(operand);
  const all = name.startsWith('$bitsAll');
  const set = name.endsWith('Set');
  return (value) => {
    const bits = value instanceof Binary ? binaryBits(value) : isNumeric(value) ? toBigInt(value) : undefined;
    if (bits === undefined || (BigInt.asIntN(64, bits) !== bits && !(value instanceof Binary))) return false;
    const hits = (set ? bits : ~bits) & mask;
    return all ? hits === mask : hits !== 0n;
  };
}

function maskOf(operand: Value): bigint {
  if (operand instanceof Binary) return binaryBits(operand);
  if (Array.isArray(operand) && operand.every((bit) => typeof bit === 'number' && Number.isInteger(bit) && bit >= 0)) {
    return operand.reduce<bigint>((mask, bit) => mask | (1n << BigInt(Number(bit))), 0n);
  }
  const mask = isNumeric(operand) ? toBigInt(operand) : undefined;
  if (mask === undefined || mask < 0n)
    throw new MongoError('BadValue', 'Bit positions must be a non-negative number, an array of them or BinData');
  return mask;
}

function binaryBits(value: Binary): bigint {
  return [...value.buffer.subarray(0, value.position)].reduce(
    (bits, byte, place) => bits | (BigInt(byte) << BigInt(8 * place)),
    0n,
  );
}

function isNaNValue(value: Maybe): boolean {
  return isNumeric(value) && Number.isNaN(toNumber(value));
}

function docOf(name: string, value: Value): Doc {
  if (!isDoc(value)) throw new MongoError('BadValue', `${name} argument must be an object`);
  return value;
}
