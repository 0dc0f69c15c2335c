import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

import { VERSION_PATH, type Versioned, versionWrites } from './versions.ts';

/** A password for programs: 24 random characters, shown once, revocable by itself. */
export interface ApplicationPassword {
  readonly uuid: string;
  readonly secret_hash: string;
  readonly created: Date;
}

/** A user of the developer website, as stored. Dates and names as WordPress keeps them. */
export interface StoredWebsiteUser extends Versioned {
  readonly id: number;
  readonly username: string;
  /** Lower-cased, unique: a login is found whatever its case. */
  readonly username_folded: string;
  /** The name that others see. */
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string;
  readonly email: string;
  /** Lower-cased, unique. */
  readonly email_folded: string;
  readonly url: string;
  readonly description: string;
  /** Empty for the language of the site. */
  readonly locale: string;
  readonly slug: string;
  readonly roles: readonly string[];
  readonly registered_date: Date;
  /** scrypt; null where no password was ever set. */
  readonly password_hash: string | null;
  readonly application_passwords: readonly ApplicationPassword[];
}

const applicationPassword = new mongoose.Schema<ApplicationPassword>(
  {
    uuid: { type: String, required: true },
    secret_hash: { type: String, required: true },
    created: { type: Date, required: true },
  },
  { _id: false },
);

const text = { type: String, default: '' } as const;
const schema = new mongoose.Schema<StoredWebsiteUser>(
  {
    id: { type: Number, required: true },
    username: { type: String, required: true },
    username_folded: { type: String, required: true },
    name: text,
    first_name: text,
    last_name: text,
    nickname: text,
    email: text,
    email_folded: text,
    url: text,
    description: text,
    locale: text,
    slug: text,
    roles: { type: [String], default: [] },
    registered_date: { type: Date, required: true },
    password_hash: { type: String, default: null },
    application_passwords: { type: [applicationPassword], default: [] },
    ...VERSION_PATH,
  },
  { ...collectionOptions('website_users'), id: false },
);
schema.index({ id: 1 }, { unique: true });
schema.index({ username_folded: 1 }, { unique: true });
schema.index({ email_folded: 1 }, { unique: true, partialFilterExpression: { email_folded: { $gt: '' } } });
schema.index({ slug: 1 }, { unique: true });
schema.index({ roles: 1, id: 1 });

versionWrites(schema);

/** Users of the developer website. */
export const WebsiteUserModel = mongoose.model<StoredWebsiteUser>('WebsiteUser', schema);

/** The form in which logins and e-mail addresses are compared. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
