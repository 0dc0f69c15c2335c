import { may } from '../access/capabilities.ts';
import { readStoredSettings, readSettings, type StoredSettings, writeSettings } from '../models/site-settings.ts';
import { ContentError } from '../schema/content-error.ts';
import { SETTINGS_WRITE, SiteSettings } from '../schema/records/site-settings.ts';

import { type ContentContext, rejectionStatus } from '../access/content-context.ts';
import type { PermissionCheck } from '../access/permitted.ts';
import { rootField, type RootFields } from '../access/root-field.ts';
import { storedSetting, type WritableSettings } from './stored-setting.ts';
import type { Service } from '../../models/store/service.ts';

/** Values of settings that a request gives, checked by their parameters; null resets one. */
type GivenSettings = { readonly [K in keyof SiteSettings]?: SiteSettings[K] | null };

const managers: PermissionCheck = (_args, context) => {
  if (may(context.caller, 'manage_options')) return;
  throw new ContentError('rest_forbidden', 'Sorry, you are not allowed to do that.', rejectionStatus(context));
};

/** `/wp/v2/settings`: for administrators alone. */
export const settingsResolver: RootFields = {
  queries: {
    settings: rootField(
      { returns: SiteSettings, description: 'The settings of the website.', takes: {}, permitted: managers },
      async (_args, context) => shown(await context.settings(), context),
    ),
  },
  mutations: {
    updateSettings: rootField(
      {
        returns: SiteSettings,
        description: 'Changes settings of the website, all of those given or none.',
        takes: SETTINGS_WRITE,
        permitted: managers,
      },
      async (given: GivenSettings, context) => {
        await changeSettings(context.service, given);
        return shown(await readSettings(context.service), context);
      },
    ),
  },
};

async function changeSettings(service: Service, given: GivenSettings): Promise<void> {
  const stored = await readStoredSettings(service);
  // The address of the website is SITE_URL: as with WordPress's constant of that name, another is taken and ignored.
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

/** A setting that is not set cannot be reset; smilies are then simply off. Rule: WordPress 4.9. */
function rejectSecondReset(name: keyof WritableSettings, stored: Partial<StoredSettings>): void {
  const isUnset = stored[name] === null || (name === 'language' && (stored.language ?? 'en_US') === 'en_US');
  if (!isUnset || name === 'use_smilies') return;
  const message = `The ${name} property has an invalid stored value, and cannot be updated to null.`;
  throw new ContentError('rest_invalid_stored_value', message, 500);
}

function shown(settings: StoredSettings, { site }: ContentContext): SiteSettings {
  return { ...settings, url: site };
}
