import { ContentItemStore } from '../models/content-item.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';

import type { ContentDocument } from './content-document.ts';
import { ImportError } from './record-reader.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Checks that no number, login, address or slug occurs twice in a file.
 *
 * @throws ImportError that names the record
 */
export function checkDocument({ users, terms, items, comments }: ContentDocument): void {
  demandUnique('id', users, ({ user }) => user.id);
  demandUnique('username', users, ({ user }) => user.username_folded);
  demandUnique('email', users, ({ user }) => user.email_folded);
  demandUnique('slug', users, ({ user }) => user.slug);
  demandUnique('id', terms, ({ term }) => term.id);
  demandUnique('slug', terms, ({ term }) => `${term.taxonomy}/${term.slug}`);
  demandUnique('id', items, ({ item }) => item.id);
  demandUnique('id', comments, ({ comment }) => comment.id);
}

/**
 * Checks that comments and revisions have their posts, in the file or on the site.
 *
 * @throws ImportError that names the record
 */
export async function checkReferences(
  service: Service,
  { items, comments }: ContentDocument,
  isAdded: boolean,
): Promise<void> {
  const inFile = new Set(items.map(({ item }) => item.id));
  const references = [
    ...items.filter(({ item }) => item.type === 'revision').map(({ where, item }) => [where, item.parent] as const),
    ...comments.map(({ where, comment }) => [where, comment.post] as const),
  ].filter(([, id]) => id !== 0 && !inFile.has(id));
  const ids = references.map(([, id]) => id);
  const found = isAdded ? await ContentItemStore.find(service, { id: { $in: ids } }, { id: 1 }) : [];
  const there = new Set(found.map(({ id }) => id));
  const lost = references.find(([, id]) => !there.has(id));
  if (lost) throw new ImportError(`${lost[0]}: there is no post ${lost[1]}`);
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
