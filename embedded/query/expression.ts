import { check, docOf, MongoError, unsupported } from '../bson/mongo-error.ts';
import { double, isTrue } from '../bson/numbers.ts';
import { type Doc, isDoc, mapOf, type OptionalValue, setOrDelete, type Value } from '../bson/value.ts';
import { ARITHMETIC } from './operators/arithmetic.ts';
import { COLLECTIONS } from './operators/collections.ts';
import { toText, VALUES } from './operators/values.ts';
import { exactly, many, type OperatorTable, string, two, whole } from './operators/operator.ts';

/** The operators on strings. Upper and lower case are those of ASCII, as in MongoDB. */
const STRINGS: OperatorTable = {
  $concat: many((args) => args.map((part) => string('$concat', part)).join('')),
  $toLower: exactly(1, ([a]) => stringOf(a).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  $toUpper: exactly(1, ([a]) => stringOf(a).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())),
  $strLenCP: exactly(1, ([a]) => [...string('$strLenCP', a)].length),
  $strLenBytes: exactly(1, ([a]) => Buffer.byteLength(string('$strLenBytes', a))),
  $substrCP: exactly(3, ([a, from, length]) =>
    [...stringOf(a)].slice(count(from), count(from) + count(length)).join(''),
  ),
  $split: two((a, b) => split(string('$split', a), string('$split', b))),
};

function stringOf(value: OptionalValue): string {
  return value === undefined || value === null ? '' : toText(value);
}

function count(value: OptionalValue): number {
  const length = whole('$substrCP', value);
  check(length >= 0, 'BadValue', '$substrCP needs non-negative whole numbers');
  return length;
}

function split(text: string, separator: string): string[] {
  check(separator !== '', 'BadValue', '$split requires a non-empty separator');
  return text.split(separator);
}

/** The variables of an expression, without their `$$`; a variable may hold a missing value. */
export type Variables = ReadonlyMap<string, OptionalValue>;

/** The input of an expression: the current document and the variables. */
export interface Scope {
  readonly root: Value;
  readonly variables: Variables;
}

/** A prepared expression; undefined is a missing value. */
export type Expression = (scope: Scope) => OptionalValue;

/** Prepares an aggregation expression; throws for an operator this server does not have. */
export function compileExpression(source: Value): Expression {
  if (typeof source === 'string' && source.startsWith('$')) return compileReference(source);
  if (Array.isArray(source)) {
    const parts = source.map(compileExpression);
    return (scope) => parts.map((part) => part(scope) ?? null);
  }
  if (!isDoc(source)) return () => source;
  const [name] = source.keys();
  if (name?.startsWith('$')) {
    check(source.size === 1, 'Location40324', 'an expression specification must contain exactly one field');
    return compileOperator(name, source.get(name) ?? null);
  }
  const fields = [...source].map(([field, value]) => [field, compileExpression(value)] as const);
  return (scope) => {
    const doc: Doc = new Map();
    for (const [field, part] of fields) {
      const value = part(scope);
      if (value !== undefined) doc.set(field, value);
    }
    return doc;
  };
}

function compileReference(source: string): Expression {
  if (!source.startsWith('$$')) {
    const path = source.slice(1).split('.');
    check(!path.includes(''), 'Location40353', `'${source}' is not a valid field path`);
    return ({ root }) => follow(root, path, 0);
  }
  const [name = '', ...path] = source.slice(2).split('.');
  return ({ root, variables }) => {
    if (name === 'REMOVE') return undefined;
    if (variables.has(name)) return follow(variables.get(name), path, 0);
    if (name === 'ROOT' || name === 'CURRENT') return follow(root, path, 0);
    if (name === 'NOW') return new Date();
    throw new MongoError('Location17276', `Use of undefined variable: ${name}`);
  };
}

/** Follows a path as expressions do: through every element of an array, without places. */
function follow(value: OptionalValue, path: readonly string[], at: number): OptionalValue {
  const part = path[at];
  if (part === undefined) return value;
  if (isDoc(value)) return follow(value.get(part), path, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => follow(element, path, at)).filter((found) => found !== undefined);
}

function compileOperator(name: string, operand: Value): Expression {
  const special = SPECIAL.get(name);
  if (special) return special(operand, name);
  const operator = OPERATORS.get(name);
  if (!operator) throw unsupported(`Expression operator ${name}`);
  const parts = listed(operand);
  const { min, max } = operator;
  const message = `Expression ${name} takes ${min === max ? `exactly ${min}` : `at least ${min}`} arguments. ${parts.length} were passed in.`;
  check(parts.length >= min && parts.length <= max, 'BadValue', message);
  return (scope) => operator.apply(parts.map((part) => part(scope)));
}

/** The operators whose arguments are evaluated first. */
const OPERATORS = mapOf({ ...ARITHMETIC, ...COLLECTIONS, ...STRINGS, ...VALUES });

/** The operators that evaluate their arguments themselves, or not at all: each prepares its operand. */
const SPECIAL = mapOf<(operand: Value, name: string) => Expression>({
  $literal: (operand) => () => operand,
  $rand: () => () => double(Math.random()),
  $and: (operand) => {
    const parts = listed(operand);
    return (scope) => parts.every((part) => isTrue(part(scope)));
  },
  $or: (operand) => {
    const parts = listed(operand);
    return (scope) => parts.some((part) => isTrue(part(scope)));
  },
  $ifNull: (operand) => {
    const parts = listed(operand);
    return (scope) => {
      let value: OptionalValue;
      for (const part of parts) {
        value = part(scope);
        if (value !== undefined && value !== null) return value;
      }
      return value;
    };
  },
  $cond: (operand) => {
    const parts = isDoc(operand) ? required('$cond', operand, 'if', 'then', 'else') : listed(operand);
    const [test, yes, no] = parts;
    check(test && yes && no && parts.length === 3, 'BadValue', 'Expression $cond takes exactly 3 arguments');
    return (scope) => (isTrue(test(scope)) ? yes(scope) : no(scope));
  },
  $switch: (operand, name) => {
    const spec = docOf(name, operand);
    const source = spec.get('branches');
    check(Array.isArray(source), 'BadValue', '$switch needs an array of branches');
    const branches = source.map((branch) => required(name, branch, 'case', 'then'));
    const other = spec.has('default') ? compileExpression(spec.get('default') ?? null) : undefined;
    return (scope) => {
      const result = branches.find(([test]) => isTrue(test?.(scope)))?.[1] ?? other;
      check(result, 'BadValue', '$switch could not find a matching branch for an input, and no default was specified.');
      return result(scope);
    };
  },
  $let: (operand, name) => {
    const bindings = [...docOf(name, docOf(name, operand).get('vars') ?? new Map())].map(
      ([variable, value]) => [variable, compileExpression(value)] as const,
    );
    const [body] = required(name, operand, 'in');
    return (scope) => {
      const values = bindings.map(([variable, value]) => [variable, value(scope)] as const);
      return body(bind(scope, values));
    };
  },
  $map: (operand, name) => loop(name, operand, 'in', (list, body) => list.map((element) => body(element) ?? null)),
  $filter: (operand, name) => {
    if (docOf(name, operand).has('limit')) throw unsupported('Option limit of $filter');
    return loop(name, operand, 'cond', (list, test) => list.filter((element) => isTrue(test(element))));
  },
  $reduce: (operand, name) => {
    const [input, initial, body] = required(name, operand, 'input', 'initialValue', 'in');
    return (scope) =>
      elements(name, input(scope))?.reduce<OptionalValue>(
        (value, element) => body(bind(scope, Object.entries({ value, this: element }))),
        initial(scope),
      ) ?? null;
  },
  $setField: (operand, name) => {
    const [input, value] = required(name, operand, 'input', 'value');
    const field = fieldName(docOf(name, operand).get('field') ?? null);
    return (scope) => {
      const doc = input(scope);
      if (doc === undefined || doc === null) return null;
      const copy = new Map(docOf(name, doc));
      setOrDelete(copy, field, value(scope));
      return copy;
    };
  },
  $getField: (operand) => {
    const spec = isDoc(operand) && operand.has('field') ? operand : new Map<string, Value>([['field', operand]]);
    const name = fieldName(spec.get('field') ?? null);
    const input = compileExpression(spec.get('input') ?? '$$CURRENT');
    return (scope) => {
      const value = input(scope);
      return isDoc(value) ? value.get(name) : undefined;
    };
  },
});

/** An operator that evaluates an expression, the named field of its operand, for each element of its input. */
function loop(
  name: string,
  operand: Value,
  field: string,
  apply: (list: Value[], body: (element: Value) => OptionalValue) => OptionalValue,
): Expression {
  const [input, body] = required(name, operand, 'input', field);
  const as = docOf(name, operand).get('as');
  const variable = typeof as === 'string' ? as : 'this';
  return (scope) => {
    const list = elements(name, input(scope));
    return list ? apply(list, (element) => body(bind(scope, [[variable, element]]))) : null;
  };
}

function listed(operand: Value): Expression[] {
  return (Array.isArray(operand) ? operand : [operand]).map(compileExpression);
}

/** Prepares the expressions of required fields of an operand. */
function required<F extends string[]>(name: string, operand: Value, ...fields: F): { [K in keyof F]: Expression } {
  const spec = docOf(name, operand);
  return fields.map((field) => {
    const value = spec.get(field);
    check(value !== undefined, 'BadValue', `Missing '${field}' parameter to ${name}`);
    return compileExpression(value);
  }) as { [K in keyof F]: Expression };
}

function fieldName(source: Value): string {
  const name = isDoc(source) && source.size === 1 ? source.get('$literal') : source;
  if (typeof name !== 'string' || (name === source && name.startsWith('$'))) throw unsupported('A computed field name');
  return name;
}

function elements(name: string, value: OptionalValue): Value[] | undefined {
  if (value === undefined || value === null) return undefined;
  check(Array.isArray(value), 'BadValue', `input to ${name} must be an array`);
  return value;
}

function bind(scope: Scope, bindings: ReadonlyArray<readonly [string, OptionalValue]>): Scope {
  return { root: scope.root, variables: new Map([...scope.variables, ...bindings]) };
}
