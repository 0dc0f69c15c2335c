import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { double } from '../bson/numbers.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';
import { OPERATORS } from './operators.ts';
import { isTrue } from './operators/truth.ts';

/** The variables of an expression, without their `$$`; a variable may hold a missing value. */
export type Variables = ReadonlyMap<string, OptionalValue>;

/** What an expression is evaluated in: the current document and the variables. */
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
    if (source.size > 1)
      throw new MongoError('Location40324', 'an expression specification must contain exactly one field');
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
    if (path.includes('')) throw new MongoError('Location40353', `'${source}' is not a valid field path`);
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
  const operator = OPERATORS.get(name);
  if (operator) {
    const parts = listed(operand);
    const { least, most } = operator;
    if (parts.length < least || parts.length > most) {
      throw new MongoError(
        'BadValue',
        `Expression ${name} takes ${least === most ? `exactly ${least}` : `at least ${least}`} arguments. ${parts.length} were passed in.`,
      );
    }
    return (scope) => operator.apply(parts.map((part) => part(scope)));
  }
  const special = SPECIAL[name];
  if (!special) throw unsupported(`Expression operator ${name}`);
  return special(operand);
}

const SPECIAL: Readonly<Record<string, (operand: Value) => Expression>> = {
  $literal: (operand) => () => operand,
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
    const parts = isDoc(operand)
      ? ['if', 'then', 'else'].map((name) => required('$cond', operand, name))
      : listed(operand);
    const [test, yes, no] = parts;
    if (!test || !yes || !no || parts.length !== 3)
      throw new MongoError('BadValue', 'Expression $cond takes exactly 3 arguments');
    return (scope) => (isTrue(test(scope)) ? yes(scope) : no(scope));
  },
  $switch: (operand) => {
    const spec = specOf('$switch', operand);
    const source = spec.get('branches');
    if (!Array.isArray(source)) throw new MongoError('BadValue', '$switch needs an array of branches');
    const branches = source.map((branch) => ({
      test: required('$switch', specOf('$switch', branch), 'case'),
      result: required('$switch', specOf('$switch', branch), 'then'),
    }));
    const other = spec.has('default') ? compileExpression(spec.get('default') ?? null) : undefined;
    return (scope) => {
      const found = branches.find(({ test }) => isTrue(test(scope)));
      if (found) return found.result(scope);
      if (!other)
        throw new MongoError(
          'BadValue',
          '$switch could not find a matching branch for an input, and no default was specified.',
        );
      return other(scope);
    };
  },
  $let: (operand) => {
    const spec = specOf('$let', operand);
    const bindings = [...specOf('$let', spec.get('vars') ?? new Map())].map(
      ([name, value]) => [name, compileExpression(value)] as const,
    );
    const body = required('$let', spec, 'in');
    return (scope) =>
      body(
        bind(
          scope,
          bindings.map(([name, value]) => [name, value(scope)]),
        ),
      );
  },
  $map: (operand) => {
    const spec = specOf('$map', operand);
    const input = required('$map', spec, 'input');
    const body = required('$map', spec, 'in');
    const name = nameOf(spec);
    return (scope) =>
      elements('$map', input(scope))?.map((element) => body(bind(scope, [[name, element]])) ?? null) ?? null;
  },
  $filter: (operand) => {
    const spec = specOf('$filter', operand);
    const input = required('$filter', spec, 'input');
    const test = required('$filter', spec, 'cond');
    if (spec.has('limit')) throw unsupported('Option limit of $filter');
    const name = nameOf(spec);
    return (scope) =>
      elements('$filter', input(scope))?.filter((element) => isTrue(test(bind(scope, [[name, element]])))) ?? null;
  },
  $reduce: (operand) => {
    const spec = specOf('$reduce', operand);
    const input = required('$reduce', spec, 'input');
    const initial = required('$reduce', spec, 'initialValue');
    const body = required('$reduce', spec, 'in');
    return (scope) => {
      const list = elements('$reduce', input(scope));
      return list
        ? list.reduce<OptionalValue>(
            (value, element) =>
              body(
                bind(scope, [
                  ['value', value],
                  ['this', element],
                ]),
              ),
            initial(scope),
          )
        : null;
    };
  },
  $rand: () => () => double(Math.random()),
  $setField: (operand) => {
    const spec = specOf('$setField', operand);
    const name = fieldName(spec.get('field') ?? null);
    const input = required('$setField', spec, 'input');
    const value = required('$setField', spec, 'value');
    return (scope) => {
      const doc = input(scope);
      if (doc === undefined || doc === null) return null;
      const copy = new Map(specOf('$setField', doc));
      const field = value(scope);
      if (field === undefined) copy.delete(name);
      else copy.set(name, field);
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
};

function listed(operand: Value): Expression[] {
  return (Array.isArray(operand) ? operand : [operand]).map(compileExpression);
}

function specOf(name: string, value: Value): Doc {
  if (!isDoc(value)) throw new MongoError('BadValue', `${name} needs an object`);
  return value;
}

function required(name: string, spec: Doc, field: string): Expression {
  const value = spec.get(field);
  if (value === undefined) throw new MongoError('BadValue', `Missing '${field}' parameter to ${name}`);
  return compileExpression(value);
}

function fieldName(source: Value): string {
  const name = isDoc(source) && source.size === 1 ? source.get('$literal') : source;
  if (typeof name !== 'string' || (name === source && name.startsWith('$'))) throw unsupported('A computed field name');
  return name;
}

function nameOf(spec: Doc): string {
  const name = spec.get('as');
  return typeof name === 'string' ? name : 'this';
}

function elements(name: string, value: OptionalValue): Value[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new MongoError('BadValue', `input to ${name} must be an array`);
  return value;
}

function bind(scope: Scope, bindings: Array<[string, OptionalValue]>): Scope {
  return { root: scope.root, variables: new Map([...scope.variables, ...bindings]) };
}
