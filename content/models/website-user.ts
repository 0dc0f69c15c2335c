import mongoose, { type SchemaDefinition } from 'mongoose';

import { VERSION_PATH, VERSIONED } from './versions.ts';
import { nullable, required, schemaOf, type StoredOf, TEXT, withDefault } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

const PASSWORD_PATHS = {
  uuid: required<string>(String),
  secret_hash: required<string>(String),
  created: required<Date>(Date),
  /** Of the program that uses it; empty for those of older versions. */
  name: TEXT,
  /** UUID of the program, empty if it gave none. */
  app_id: TEXT,
};

/** A password for programs: 24 random characters, shown once, revocable by itself. */
export type ApplicationPassword = StoredOf<typeof PASSWORD_PATHS>;

const applicationPassword = new mongoose.Schema(PASSWORD_PATHS as unknown as SchemaDefinition, { _id: false });

const PATHS = {
  id: required<number>(Number),
  username: required<string>(String),
  /** Lower-case, unique: a login is found regardless of case. */
  username_folded: required<string>(String),
  /** The name that others see. */
  name: TEXT,
  first_name: TEXT,
  last_name: TEXT,
  nickname: TEXT,
  email: TEXT,
  /** Lower-cased, unique. */
  email_folded: TEXT,
  url: TEXT,
  description: TEXT,
  /** Empty for the language of the site. */
  locale: TEXT,
  slug: TEXT,
  roles: withDefault<readonly string[]>([String], []),
  registered_date: required<Date>(Date),
  /** scrypt hash; null if no password was ever set. */
  password_hash: nullable<string>(String),
  application_passwords: withDefault<readonly ApplicationPassword[]>([applicationPassword], []),
  ...VERSION_PATH,
};

/** A user of the developer website, as stored. Dates and names as WordPress keeps them. */
export type StoredWebsiteUser = StoredOf<typeof PATHS>;

const schema = schemaOf<StoredWebsiteUser>('website_users', PATHS, { id: false });
schema.index({ id: 1 }, { unique: true });
schema.index({ username_folded: 1 }, { unique: true });
schema.index({ email_folded: 1 }, { unique: true, partialFilterExpression: { email_folded: { $gt: '' } } });
schema.index({ slug: 1 }, { unique: true });
schema.index({ roles: 1, id: 1 });

/** Users of the developer website. */
export const WebsiteUserStore = new PlainStore<StoredWebsiteUser>('WebsiteUser', schema, VERSIONED);

/** The form in which logins and e-mail addresses are compared. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
