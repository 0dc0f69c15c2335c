import { ContentField, ContentRecord } from '../content-field.ts';
import { OPEN_OR_CLOSED } from './content-item.ts';
import { ALWAYS } from '../display-context.ts';
import { Integer } from '../integer.ts';
import type { ParameterTable } from '../parameter.ts';

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

/** A setting: shown as it is written. */
function Setting(): PropertyDecorator {
  return (prototype, name) => {
    const definition: ParameterTable[string] = SETTINGS_WRITE[name as keyof typeof SETTINGS_WRITE];
    const { type, description = '', format, enum: choices } = definition;
    const scalars = { integer: Integer, boolean: Boolean } as const;
    const scalar = type === 'integer' || type === 'boolean' ? scalars[type] : String;
    const keywords = { ...(format && { format }), ...(choices && { enum: choices }) };
    const fallback = Object.entries(SETTINGS_AFTER_RESET).find(([reset]) => reset === name)?.[1] ?? null;
    ContentField(() => scalar, ALWAYS, description, { schema: { default: fallback, ...keywords } })(prototype, name);
  };
}

/** The settings of the developer website. One that has been reset and has no default is null. */
@ContentRecord('settings', 'The settings of the developer website.', { hasContexts: false })
export class SiteSettings {
  @Setting() readonly title!: string | null;
  @Setting() readonly description!: string | null;
  @Setting() readonly url!: string;
  @Setting() readonly email!: string | null;
  @Setting() readonly timezone!: string | null;
  @Setting() readonly date_format!: string | null;
  @Setting() readonly time_format!: string | null;
  @Setting() readonly start_of_week!: number | null;
  @Setting() readonly language!: string;
  @Setting() readonly use_smilies!: boolean;
  @Setting() readonly default_category!: number | null;
  @Setting() readonly default_post_format!: string | null;
  @Setting() readonly posts_per_page!: number;
  @Setting() readonly default_ping_status!: string | null;
  @Setting() readonly default_comment_status!: string | null;
}
