import type { Headers } from './fleet.ts';
import { type Service, UnexpectedAnswer } from './service.ts';

/** Makes a post in a category of its own for a round, before anything is killed, and answers its id. */
export async function madePost(server: Service, title: string, headers: Headers): Promise<number> {
  const categories = [await madeTerm(server, 'categories', title, headers)];
  return made(server, 'posts', { title, content: 'unchanged', status: 'publish', categories }, headers);
}

/** Makes a term for a round, before anything is killed, and answers its id. */
export function madeTerm(
  server: Service,
  path: 'categories' | 'tags',
  name: string,
  headers: Headers,
): Promise<number> {
  return made(server, path, { name }, headers);
}

async function made(server: Service, path: string, body: object, headers: Headers): Promise<number> {
  const answer = await server.ask(`/wp-json/wp/v2/${path}`, { headers, body });
  if (answer.status !== 201) throw new UnexpectedAnswer(`POST /${path} answered ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as { id: number }).id;
}
