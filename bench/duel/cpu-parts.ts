import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { packageFileOf } from '../../command/package-file.ts';

/** Parts of the CPU time of a request, in the order of tables. */
export const CPU_PARTS = [
  'own code',
  'database driver',
  'HTTP framework',
  'other packages',
  'Node.js',
  'system calls, TLS, V8',
  'garbage',
] as const;

export type CpuPart = (typeof CPU_PARTS)[number];

/** Microseconds of CPU time by part. */
export type CpuParts = Readonly<Record<CpuPart, number>>;

const DRIVER = new Set(['mongodb', 'bson', 'mongodb-connection-string-url', 'mongoose', 'mquery', 'kareem', 'sift']);
const FRAMEWORK = new Set(['fastify', 'find-my-way', 'avvio', 'fast-json-stringify', 'secure-json-parse']);

/** Profiles a server that has loaded `profile-server.ts` while work continues. */
export async function profileWhile(socketPath: string, work: () => Promise<unknown>): Promise<CpuParts> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  await once(socket, 'data');
  await work();
  socket.end();
  return timesByPart(JSON.parse(await text(socket)));
}

function timesByPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): CpuParts {
  const parts = new Map<number, CpuPart | null>();
  const assign = (node: Profiler.ProfileNode, above: CpuPart | null) => {
    const part = partOf(node.callFrame, above);
    parts.set(node.id, part);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) assign(child, part);
    }
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [root] = nodes;
  if (root) assign(root, null);
  const sums = Object.fromEntries(CPU_PARTS.map((part) => [part, 0])) as Record<CpuPart, number>;
  for (const [at, id] of samples.entries()) {
    const part = parts.get(id);
    if (part) sums[part] += timeDeltas[at] ?? 0;
  }
  return sums;
}

/** Part of a function; a built-in one belongs to whoever called it. Null while nothing is done, and of the inspector itself. */
function partOf({ functionName, url }: Profiler.ProfileNode['callFrame'], caller: CpuPart | null): CpuPart | null {
  if (functionName === '(idle)' || (functionName === 'dispatch' && url === '')) return null;
  if (functionName === '(garbage collector)') return 'garbage';
  if (functionName === '(program)') return 'system calls, TLS, V8';
  if (url === '') return caller;
  if (url.startsWith('node:')) return 'Node.js';
  const name = packageOf(url);
  if (name === null) return 'own code';
  if (DRIVER.has(name)) return 'database driver';
  return FRAMEWORK.has(name) || name.startsWith('fastify-') ? 'HTTP framework' : 'other packages';
}

/** Name of the package that a file belongs to, as the built program has it; null for code of the project. */
function packageOf(url: string): string | null {
  const built = /\/bundle\/([^/]+)\.js$/.exec(url)?.[1];
  return packageFileOf(url) ?? (built !== undefined && packages().has(built) ? built : null);
}

let found: ReadonlySet<string | null> | undefined;

/** Names of the installed packages as files of the built program have them. */
function packages(): ReadonlySet<string | null> {
  if (found) return found;
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('fastify/package.json')));
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  found = new Set(names.map((name) => packageFileOf(join(folder, name))));
  return found;
}
