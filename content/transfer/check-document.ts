import { ContentItemStore } from '../models/content-item.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';

import type { ContentDocument } from './content-document.ts';
import { ImportError } from './record-reader.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Checks that no number, login, address or slug of users and terms occurs twice in a file.
 *
 * @throws ImportError that names the record
 */
export function checkDocument({ users, terms }: ContentDocument): void {
  demandUnique('id', users, ({ user }) => user.id);
  demandUnique('username', users, ({ user }) => user.username_folded);
  demandUnique('email', users, ({ user }) => user.email_folded);
  demandUnique('slug', users, ({ user }) => user.slug);
  demandUnique('id', terms, ({ term }) => term.id);
  demandUnique('slug', terms, ({ term }) => `${term.taxonomy}/${term.slug}`);
}

/** Numbers of posts to which records refer, with the first of these records. */
export type References = ReadonlyMap<number, string>;

/**
 * Checks that comments and revisions have their posts on the site.
 *
 * @throws ImportError that names the record
 */
export async function checkReferences(service: Service, missing: References, isAdded: boolean): Promise<void> {
  const ids = [...missing.keys()];
  const found = isAdded ? await ContentItemStore.find(service, { id: { $in: ids } }, { id: 1 }) : [];
  const there = new Set(found.map(({ id }) => id));
  const lost = ids.find((id) => !there.has(id));
  if (lost !== undefined) throw new ImportError(`${missing.get(lost)}: there is no post ${lost}`);
}

/**
 * Checks that users and terms do not conflict with others on the site.
 *
 * @throws ImportError that names the record
 */
export async function checkAgainstSite(service: Service, { users, terms }: ContentDocument): Promise<void> {
  for (const { where, term } of terms) {
    const { id, taxonomy, slug } = term;
    const other = await TermStore.findOne(service, { taxonomy, slug, id: { $ne: id } }, { id: 1 });
    if (other) throw new ImportError(`${where}: slug is taken by term ${other.id} of this site`);
  }
  for (const { where, user } of users) {
    const { id, username_folded, email_folded, slug } = user;
    const claims = [{ username_folded }, { slug }, ...(email_folded === '' ? [] : [{ email_folded }])];
    const other = await WebsiteUserStore.findOne(service, { id: { $ne: id }, $or: claims }, { id: 1 });
    if (other) throw new ImportError(`${where}: username, email or slug is taken by user ${other.id} of this site`);
  }
}

/**
 * Notes the number of a record.
 *
 * @throws ImportError if another record has it
 */
export function noteId(places: Map<number, string>, id: number, where: string): void {
  const other = places.get(id);
  if (other !== undefined) throw new ImportError(`${where}: id is the same as that of ${other}`);
  places.set(id, where);
}

function demandUnique<T extends { readonly where: string }>(
  name: string,
  records: readonly T[],
  valueIn: (record: T) => string | number,
): void {
  const first = new Map<string | number, string>();
  for (const record of records) {
    const value = valueIn(record);
    const other = first.get(value);
    if (other !== undefined && value !== '') {
      throw new ImportError(`${record.where}: ${name} is the same as that of ${other}`);
    }
    first.set(value, record.where);
  }
}
