/** A page for trying out queries. */
export function graphqlPage(nonce: string): string {
  return `<!doctype html><title>GraphQL</title><script nonce="${nonce}"></script>`;
}
