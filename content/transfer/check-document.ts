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

/** Finds the first of some numbers that no item of the site has; undefined if all are there. */
export async function findLost(service: Service, ids: readonly number[]): Promise<number | undefined> {
  const found = await ContentItemStore.find(service, { id: { $in: [...ids] } }, { _id: 0, id: 1 });
  const there = new Set(found.map(({ id }) => id));
  return ids.find((id) => !there.has(id));
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
