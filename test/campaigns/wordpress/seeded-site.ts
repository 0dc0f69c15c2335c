import { readFileSync } from 'node:fs';

interface SeededObject {
  readonly id: number;
  readonly slug?: string;
  readonly parent?: number;
}

/** Content that both sites begin with: the part of a file of `content export` that requests are made of. */
export interface SeededSite {
  /** Address of the site that the file was written by, without a slash at its end. */
  readonly base_url: string;
  readonly credentials: readonly { readonly login: string; readonly application_password: string }[];
  readonly users: readonly SeededObject[];
  readonly posts: readonly SeededObject[];
  readonly pages: readonly SeededObject[];
  readonly media: readonly SeededObject[];
  readonly comments: readonly SeededObject[];
  readonly categories: readonly SeededObject[];
  readonly tags: readonly SeededObject[];
  readonly revisions: readonly (SeededObject & { readonly parent: number })[];
}

/** Lists of objects that a seeded site has. */
export type SeededList = 'users' | 'posts' | 'pages' | 'media' | 'comments' | 'categories' | 'tags';

/** @throws where the file cannot be read or holds no content */
export function readSeededSite(path: string): SeededSite {
  const site = JSON.parse(readFileSync(path, 'utf8')) as SeededSite;
  if (!Array.isArray(site.credentials)) throw new Error(`${path} has no credentials of users`);
  return site;
}

/** Ids of a list. */
export function idsOf(site: SeededSite, list: SeededList): number[] {
  return site[list].map(({ id }) => id);
}

/** The application password of a user. */
export function passwordOf(site: SeededSite, login: string): string {
  return site.credentials.find((one) => one.login === login)?.application_password ?? '';
}
