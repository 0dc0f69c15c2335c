import { posix } from 'node:path';

import type { StoredComment } from '../models/comment.ts';
import type { StoredItem } from '../models/content-item.ts';
import type { StoredTerm } from '../models/term.ts';
import type { StoredWebsiteUser } from '../models/website-user.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { mediaStorage } from '../media/storage/chosen-storage.ts';

/** The secrets of a user as an export holds them: hashed. */
export function exportedCredentials(user: StoredWebsiteUser): unknown {
  const { id, username: login, password_hash, application_passwords } = user;
  return { id, login, password_hash, application_passwords };
}

/** A user as an export holds it. */
export function exportedUser(user: StoredWebsiteUser & { readonly _id?: unknown }): unknown {
  const { _id, version, username_folded, email_folded, password_hash, application_passwords, ...shown } = user;
  return shown;
}

/** A category or tag as an export holds it. */
export function exportedTerm(term: StoredTerm & { readonly _id?: unknown }): unknown {
  const { _id, version, name_key, name_folded, ...shown } = term;
  return shown;
}

/** A comment as an export holds it. */
export function exportedComment({ content, ...comment }: StoredComment & { readonly _id?: unknown }): unknown {
  const { _id, version, duplicate_key, flood_keys, ...shown } = comment;
  return { ...shown, content: { raw: content } };
}

/** A post, page, attachment or revision as an export holds it, with the bytes of an attachment. */
export async function exportedItem(item: StoredItem & { readonly _id?: unknown }, siteUrl: string): Promise<unknown> {
  const { _id, version, slug_keys, last_revision, title_folded, guid, title, ...visible } = item;
  const { type, content, excerpt, parent, file, ...shown } = visible;
  const texts = { guid: { raw: guid }, title: { raw: title } };
  if (!kindOf(type)?.isUploaded) {
    return { ...shown, ...texts, type, parent, content: { raw: content }, excerpt: { raw: excerpt } };
  }
  return {
    ...shown,
    ...texts,
    type,
    post: parent === 0 ? null : parent,
    description: { raw: content },
    caption: { raw: excerpt },
    source_url: `${siteUrl}/wp-content/uploads/${file}`,
    ...(await bytesOf(item)),
  };
}

async function bytesOf({ file, media_details }: StoredItem): Promise<Record<string, unknown>> {
  const upload = await base64(file);
  const { sizes = {} } = media_details as { readonly sizes?: Readonly<Record<string, { readonly file: string }>> };
  const scaled = await Promise.all(
    Object.entries(sizes).map(async ([name, size]) => [name, await base64(posix.join(posix.dirname(file), size.file))]),
  );
  return {
    ...(upload === null ? {} : { file_base64: upload }),
    size_files: Object.fromEntries(scaled.filter(([, bytes]) => bytes !== null)),
  };
}

async function base64(path: string): Promise<string | null> {
  const stored = path === '' ? null : await mediaStorage.find(path);
  if (stored === null) return null;
  const pieces: Uint8Array[] = [];
  for await (const piece of stored.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString('base64');
}
