import type { StoredSettings } from '../models/site-settings.ts';
import { escapeAttribute, escapeMarkup } from '../rendering/markup/escape-markup.ts';
import { stripTags } from '../rendering/plain-text.ts';

/** The settings that the content interface may change. */
export type WritableSettings = Omit<StoredSettings, 'uploads_use_yearmonth_folders' | 'image_sizes'>;

/** Makes of a value that was given the one that is stored; undefined if it is no good, and the one in force stays. */
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

/** The value of a setting as it is stored; undefined where the one in force stays. */
export function storedSetting<K extends keyof WritableSettings>(
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
