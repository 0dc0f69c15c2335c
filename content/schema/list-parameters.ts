import { DISPLAY_CONTEXTS } from './display-context.ts';
import type { ParameterTable } from './parameter.ts';

/** The context in which an answer is shown. Specification: section D, "Common list parameters". */
export const CONTEXT = {
  context: {
    type: 'string',
    description: 'Scope under which the request is made; determines fields present in response.',
    default: 'view',
    enum: DISPLAY_CONTEXTS,
    checkedFirst: true,
  },
} as const satisfies ParameterTable;

/** First parameters of every paged list. Specification: section D, "Common list parameters". */
export const PAGING = {
  page: {
    type: 'integer',
    description: 'Current page of the collection.',
    default: 1,
    minimum: 1,
    clean: 'whole',
    checkedFirst: true,
  },
  per_page: {
    type: 'integer',
    description: 'Maximum number of items to be returned in result set.',
    default: 10,
    minimum: 1,
    maximum: 100,
    clean: 'whole',
    checkedFirst: true,
  },
  search: {
    type: 'string',
    description: 'Limit results to those matching a string.',
    clean: 'text',
    checkedFirst: true,
  },
} as const satisfies ParameterTable;

/** A parameter for a list of numbers. */
export function numbers(description: string) {
  return { type: 'array', description, items: { type: 'integer' } } as const;
}

/** A parameter for a list of texts. */
export function textList(description: string) {
  return { type: 'array', description, items: { type: 'string' } } as const;
}

/** A parameter that narrows a list by ids; an empty list has no effect. */
export function filterBy(description: string) {
  return { ...numbers(description), default: [] } as const;
}

/** A parameter for a date. */
export function dateTime(description: string) {
  return { type: 'string', description, format: 'date-time' } as const;
}

/** Lists by id: all but these, or these alone. */
export const BY_ID = {
  exclude: filterBy('Ensure result set excludes specific IDs.'),
  include: filterBy('Limit result set to specific IDs.'),
} as const satisfies ParameterTable;

/** Start of a list, in place of a page. */
export const OFFSET = {
  offset: { type: 'integer', description: 'Offset the result set by a specific number of items.' },
} as const satisfies ParameterTable;

/** Direction of a list. */
export function orderOf<D extends 'asc' | 'desc'>(fallback: D) {
  return {
    order: {
      type: 'string',
      description: 'Order sort attribute ascending or descending.',
      default: fallback,
      enum: ['asc', 'desc'],
    },
  } as const satisfies ParameterTable;
}

/** Order of a list. */
export function orderbyOf<D extends string, E extends string>(fallback: D, choices: readonly E[]) {
  return {
    orderby: {
      type: 'string',
      description: 'Sort collection by object attribute.',
      default: fallback,
      enum: choices,
    },
  } as const satisfies ParameterTable;
}

/** The id in the path of one object. */
export function idOf(description = 'Unique identifier for the object.') {
  return { id: { type: 'integer', description } } as const satisfies ParameterTable;
}

/** Parameter that makes a deletion final. */
export function forceOf(description: string) {
  return { force: { type: 'boolean', description, default: false } } as const satisfies ParameterTable;
}

/** The id, which a request to create something must not contain; the permission check rejects it. */
export const UNWANTED_ID = { id: { unchecked: true, unlisted: true } } as const satisfies ParameterTable;

/** Meta fields in a request, of which none are registered. */
export const META = {
  meta: { type: 'object', description: 'Meta fields.', check: checkMeta, convert: (value: unknown) => value },
} as const satisfies ParameterTable;

function checkMeta(value: unknown): string | undefined {
  return typeof value === 'object' ? undefined : 'Invalid parameter.';
}
