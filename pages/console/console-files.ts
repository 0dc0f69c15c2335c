import type { FastifyInstance } from 'fastify';

import { StaticFile } from '../../http/answers/static-file.ts';
import { readPackageFile } from '../../http/package-file.ts';

/** Folder of the built scripts. */
const FOLDER = 'build/bundle/console';
/** Files of pages keep their names; the names of the others contain a hash of what they contain. */
const CACHING = { page: 'no-cache', other: 'public, max-age=31536000, immutable' };

/** Adds the scripts of the console below a path, each of which is read when it is first requested. */
export function addConsoleFiles(app: FastifyInstance, path: string): void {
  const files = new Map<string, StaticFile>();
  app.get<{ Params: { name: string } }>(`${path}/:name`, { compress: false }, async (request, reply) => {
    const { name } = request.params;
    const file = files.get(name) ?? (await readScript(name));
    if (file === null) return reply.callNotFound();
    files.set(name, file);
    return file.send(request, reply);
  });
}

async function readScript(name: string): Promise<StaticFile | null> {
  if (!/^[\w-]+\.js$/.test(name)) return null;
  const content = await readPackageFile(`${FOLDER}/${name}`).catch(() => null);
  const cacheControl = name.startsWith('part-') ? CACHING.other : CACHING.page;
  return content && new StaticFile(content, { type: 'text/javascript; charset=utf-8', cacheControl });
}
