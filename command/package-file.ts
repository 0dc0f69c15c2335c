/** Name under which the built program has the package that a file comes from; null for a file of the project. */
export function packageFileOf(file: string): string | null {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return name?.replace('@', '').replace('/', '-') ?? null;
}
