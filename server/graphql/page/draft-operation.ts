import type { FieldDescription, TypeDescription, TypeReference } from './introspection.ts';

/** An operation to begin with, and its variables as JSON. */
export interface Draft {
  readonly query: string;
  readonly variables: string;
}

/**
 * Writes an operation that calls a field: its required arguments as variables, and of its result what can be shown without
 * arguments, three levels deep. It runs in the page, so it stands by itself.
 */
export function draftOperation(
  operation: 'query' | 'mutation',
  field: FieldDescription,
  types: readonly TypeDescription[],
): Draft {
  const nameOf = (type: TypeReference): string | null => (type.ofType ? nameOf(type.ofType) : type.name);
  const written = (type: TypeReference): string =>
    type.kind === 'NON_NULL' && type.ofType
      ? `${written(type.ofType)}!`
      : type.kind === 'LIST' && type.ofType
        ? `[${written(type.ofType)}]`
        : String(type.name);
  const isRequired = ({ type, defaultValue }: FieldDescription['args'][number]): boolean =>
    type.kind === 'NON_NULL' && defaultValue === null;

  const fieldsOf = (type: TypeReference) => types.find(({ name }) => name === nameOf(type))?.fields ?? null;

  const selection = (type: TypeReference, depth: number, indent: string): string => {
    const lines: string[] = [];
    for (const candidate of depth > 0 ? (fieldsOf(type) ?? []) : []) {
      const below = selection(candidate.type, depth - 1, `${indent}  `);
      const isComplete = below !== '' || fieldsOf(candidate.type) === null;
      if (isComplete && !candidate.args.some(isRequired)) {
        lines.push(`${indent}  ${candidate.name}${below}\n`);
      }
    }
    return lines.length === 0 ? '' : ` {\n${lines.join('')}${indent}}`;
  };

  const required = field.args.filter(isRequired);
  const declared = required.map(({ name, type }) => `$${name}: ${written(type)}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`}${selection(field.type, 3, '  ')}`;
  const variables = Object.fromEntries(required.map(({ name }) => [name, '']));
  return {
    query: `${operation}${declared && ` (${declared})`} {\n  ${call}\n}\n`,
    variables: required.length === 0 ? '' : JSON.stringify(variables, null, 2),
  };
}
