import { type ContentField, contentRecord, flag, integer, text } from '../content-field.ts';
import { OPEN_OR_CLOSED } from './content-item.ts';
import { ALWAYS } from '../display-context.ts';
import type { ParameterDefinition, ParameterTable, ValueOf } from '../parameter.ts';

/** Values of settings after a reset; all others are null then. */
export const SETTINGS_AFTER_RESET = { language: 'en_US', use_smilies: true, posts_per_page: 10 } as const;

/** `POST /wp/v2/settings`. Null resets a setting. Specification: section D; `url` and `email` come in addition. */
export const SETTINGS_WRITE = resettable({
  title: { type: 'string', description: 'Site title.' },
  description: { type: 'string', description: 'Site tagline.' },
  url: { type: 'string', description: 'Site URL.', format: 'uri' },
  email: {
    type: 'string',
    description: 'This address is used for admin purposes, like new user notification.',
    format: 'email',
  },
  timezone: { type: 'string', description: 'A city in the same timezone as you.' },
  date_format: { type: 'string', description: 'A date format for all date strings.' },
  time_format: { type: 'string', description: 'A time format for all time strings.' },
  start_of_week: { type: 'integer', description: 'A day number of the week that the week should start on.' },
  language: { type: 'string', description: 'WordPress locale code.' },
  use_smilies: { type: 'boolean', description: 'Convert emoticons like :-) and :-P to graphics on display.' },
  default_category: { type: 'integer', description: 'Default post category.' },
  default_post_format: { type: 'string', description: 'Default post format.' },
  posts_per_page: { type: 'integer', description: 'Blog pages show at most.' },
  default_ping_status: {
    type: 'string',
    description: 'Allow link notifications from other blogs (pingbacks and trackbacks) on new articles.',
    enum: OPEN_OR_CLOSED,
  },
  default_comment_status: {
    type: 'string',
    description: 'Allow people to post comments on new articles.',
    enum: OPEN_OR_CLOSED,
  },
});

function resettable<const T extends ParameterTable>(table: T) {
  const entries = Object.entries(table).map(([name, definition]) => [name, { ...definition, nullable: true }]);
  return Object.fromEntries(entries) as { readonly [K in keyof T]: T[K] & { readonly nullable: true } };
}

/** The field that shows a setting as it is written. */
function settingField(
  name: string,
  { type, description = '', format, enum: choices }: ParameterDefinition,
): ContentField {
  const declare = { integer, boolean: flag, string: text }[type as 'integer' | 'boolean' | 'string'];
  const keywords = { ...(format && { format }), ...(choices && { enum: choices }) };
  const fallback = Object.entries(SETTINGS_AFTER_RESET).find(([reset]) => reset === name)?.[1] ?? null;
  return declare(ALWAYS, description, { schema: { default: fallback, ...keywords } });
}

/** The settings of the developer website. */
export const SiteSettings = contentRecord(
  { name: 'SiteSettings', title: 'settings', hasContexts: false },
  'The settings of the developer website.',
  Object.fromEntries(Object.entries(SETTINGS_WRITE).map(([name, setting]) => [name, settingField(name, setting)])),
);

/** Values of the settings. One that has been reset and has no default is null. */
export type SiteSettings = {
  readonly [K in keyof typeof SETTINGS_WRITE]:
    | ValueOf<(typeof SETTINGS_WRITE)[K]>
    | (K extends keyof typeof SETTINGS_AFTER_RESET | 'url' ? never : null);
};
