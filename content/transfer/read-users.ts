import { storedApplicationPassword } from '../access/application-passwords.ts';
import { isRole, ROLES } from '../access/capabilities.ts';
import { hashPassword } from '../../auth/secrets/passwords.ts';
import { type ApplicationPassword, foldName, type StoredWebsiteUser } from '../models/website-user.ts';

import type { RecordReader } from './record-reader.ts';

/** Secrets of a user in a file; missing ones stay unchanged. */
export interface ImportedSecrets {
  readonly password_hash?: string;
  readonly application_passwords?: readonly ApplicationPassword[];
}

/** A user of a file; `secrets` computes its hashes, which takes time. */
export interface ImportedUser {
  readonly where: string;
  readonly user: Omit<StoredWebsiteUser, 'password_hash' | 'application_passwords'>;
  readonly secrets: () => Promise<ImportedSecrets>;
}

/** The users of a file, with their `credentials`. */
export function readUsers(document: RecordReader): ImportedUser[] {
  const credentials = new Map(document.records('credentials').map((entry) => [entry.id(), entry]));
  return document.records('users').map((reader) => {
    const entry = credentials.get(reader.id());
    return { where: reader.where, user: readUser(reader), secrets: entry ? readSecrets(entry) : async () => ({}) };
  });
}

function readUser(reader: RecordReader): ImportedUser['user'] {
  const slug = reader.needed('slug');
  const username = reader.text('username', slug);
  const email = reader.text('email');
  const roles = reader.texts('roles');
  if (!roles.every(isRole)) reader.reject(`roles must be of ${ROLES.join(', ')}`);
  return {
    id: reader.id(),
    username,
    username_folded: foldName(username),
    name: reader.text('name', username),
    first_name: reader.text('first_name'),
    last_name: reader.text('last_name'),
    nickname: reader.text('nickname', username),
    email,
    email_folded: foldName(email),
    url: reader.text('url'),
    description: reader.text('description'),
    locale: reader.text('locale'),
    slug,
    roles,
    registered_date: reader.has('registered_date') ? reader.instant('registered_date') : new Date(0),
  };
}

/** Reads secrets in plain text (`account_password`, `application_password`) or, as an export has them, hashed. */
function readSecrets(reader: RecordReader): () => Promise<ImportedSecrets> {
  const plain = reader.text('account_password');
  const password_hash = reader.text('password_hash');
  const password = reader.text('application_password');
  const uuid = reader.text('application_password_uuid', `imported-${reader.id()}`);
  const hashed = reader.records('application_passwords').map((entry) => ({
    uuid: entry.needed('uuid'),
    secret_hash: entry.needed('secret_hash'),
    created: entry.instant('created'),
    name: entry.text('name'),
    app_id: entry.text('app_id'),
  }));
  const applicationPasswords = [...hashed, ...(password === '' ? [] : [storedApplicationPassword(password, uuid)])];
  return async () => ({
    ...(plain === '' ? (password_hash === '' ? {} : { password_hash }) : { password_hash: await hashPassword(plain) }),
    ...(applicationPasswords.length === 0 ? {} : { application_passwords: applicationPasswords }),
  });
}
