/**
 * Writes the operation of one field, whose arguments become variables: `deleteShare(key: String!) { key }` is sent as
 * `mutation ConsoleDeleteShare($key: String!) { deleteShare(key: $key) { key } }`.
 *
 * @param kind `list` for a query of a connection, of which it selects a page of 50 nodes
 */
export function operationText(kind: 'mutation' | 'query' | 'list', field: string): string {
  const [, name = '', declared = '', selection = ''] = /^(\w+)(?:\(([^)]*)\))?\s*([\s\S]*)$/.exec(field.trim()) ?? [];
  const types = kind === 'list' ? [declared, 'after: String'].filter(Boolean).join(', ') : declared;
  const variables = types.replace(/(\w+):/g, '$$$1:');
  const values = [
    ...(kind === 'list' ? ['first: 50'] : []),
    ...Array.from(types.matchAll(/(\w+):/g), ([, key]) => `${key}: $${key}`),
  ].join(', ');
  const nodes = kind === 'list' ? `{ nodes ${selection} page_info { end_cursor has_next_page } }` : selection;
  const title = `Console${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const head = `${kind === 'mutation' ? 'mutation' : 'query'} ${title}${variables && `(${variables})`}`;
  return `${head} { ${name}${values && `(${values})`} ${nodes} }`;
}
