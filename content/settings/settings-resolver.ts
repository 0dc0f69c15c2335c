import { may } from '../access/capabilities.ts';
import { readStoredSettings, readSettings, type StoredSettings, writeSettings } from '../models/site-settings.ts';
import { ContentError } from '../schema/content-error.ts';
import { SETTINGS_WRITE, SiteSettings } from '../schema/records/site-settings.ts';

import { type ContentContext, reject } from '../access/content-context.ts';
import { rootField, type RootFields, type PermissionCheck } from '../access/root-field.ts';
import type { Service } from '../../models/store/service.ts';
import { escapeAttribute, escapeMarkup } from '../rendering/markup/escape-markup.ts';
import { stripTags } from '../rendering/plain-text.ts';

/** Values of settings that a request gives, checked by their parameters; null resets one. */
type GivenSettings = { readonly [K in keyof SiteSettings]?: SiteSettings[K] | null };

const managers: PermissionCheck = (_args, context) => {
  if (may(context.caller, 'manage_options')) return;
  reject('rest_forbidden', 'Sorry, you are not allowed to do that.', context);
};

/** `/wp/v2/settings`: for administrators alone. */
export const settingsResolver: RootFields = {
  queries: {
    settings: rootField(
      'The settings of the website.',
      { returns: SiteSettings, takes: {}, permitted: managers },
      async (_args, context) => shown(await context.settings(), context),
    ),
  },
  mutations: {
    updateSettings: rootField(
      'Changes settings of the website, all of those given or none.',
      { returns: SiteSettings, takes: SETTINGS_WRITE, permitted: managers },
      async (given: GivenSettings, context) => {
        await changeSettings(context.service, given);
        return shown(await readSettings(context.service), context);
      },
    ),
  },
};

async function changeSettings(service: Service, given: GivenSettings): Promise<void> {
  const stored = await readStoredSettings(service);
  // The address of the website is SITE_URL: as with WordPress's constant of that name, another value is accepted and ignored.
  const { url: _url, ...writable } = given;
  const changes = Object.entries(writable).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const name = key as keyof WritableSettings;
    if (value !== null) {
      const cleaned = storedSetting(name, value);
      return cleaned === undefined ? [] : [[name, cleaned] as const];
    }
    rejectSecondReset(name, stored);
    return [[name, null] as const];
  });
  if (changes.length > 0) await writeSettings(service, Object.fromEntries(changes));
}

/** A setting that is not set cannot be reset; smilies are off then. Rule: WordPress 4.9. */
function rejectSecondReset(name: keyof WritableSettings, stored: Partial<StoredSettings>): void {
  const isUnset = stored[name] === null || (name === 'language' && (stored.language ?? 'en_US') === 'en_US');
  if (!isUnset || name === 'use_smilies') return;
  const message = `The ${name} property has an invalid stored value, and cannot be updated to null.`;
  throw new ContentError('rest_invalid_stored_value', message, 500);
}

function shown(settings: StoredSettings, { site }: ContentContext): SiteSettings {
  return { ...settings, url: site };
}

/** The settings that the content interface may change. */
export type WritableSettings = Omit<StoredSettings, UnpublishedSetting>;

/** Settings that the content interface of WordPress 4.9 does not have. */
type UnpublishedSetting = 'uploads_use_yearmonth_folders' | 'image_sizes' | 'show_on_front' | 'page_on_front';

/** Converts a given value to the one that is stored; undefined if it is invalid, and the one in force stays. */
type Clean<T> = (given: NonNullable<T>) => T | undefined;

/** Regions and the like of time zones that name a city. */
const ZONE = /^(?:UTC$|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/)/;

const markup = (text: string) => escapeMarkup(stripTags(text.replaceAll('\0', '')));

/**
 * Functions that clean settings. Rules: WordPress's `sanitize_option`; a setting that is not listed is stored
 * unchanged.
 */
const CLEAN: { readonly [K in keyof WritableSettings]?: Clean<WritableSettings[K]> } = {
  title: escapeAttribute,
  description: escapeAttribute,
  timezone: (zone) => (zone === '' || isTimeZone(zone) ? zone : undefined),
  date_format: markup,
  time_format: markup,
  start_of_week: Math.abs,
  // No other language is installed.
  language: (language) => (language === '' ? language : undefined),
  default_category: Math.abs,
  posts_per_page: (count) => (count < -1 ? -count : count || 1),
};

/** The value of a setting as it is stored; undefined if the one in force stays. */
function storedSetting<K extends keyof WritableSettings>(
  name: K,
  given: NonNullable<WritableSettings[K]>,
): WritableSettings[K] | undefined {
  const clean: Clean<WritableSettings[K]> | undefined = CLEAN[name];
  return clean ? clean(given) : given;
}

/** Returns true if a text names the time zone of a city, or UTC, in the spelling of the time zone database. */
function isTimeZone(zone: string): boolean {
  if (!ZONE.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}
