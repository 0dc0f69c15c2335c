import mongoose from 'mongoose';

import { SETTINGS_AFTER_RESET, SETTINGS_WRITE, type SiteSettings } from '../schema/records/site-settings.ts';
import { collectionOptions } from '../../models/store/collection-options.ts';

import { STAMPED } from './content-stamp.ts';
import { PlainStore } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/** An image size that an upload is scaled to, by its name in the content interface. */
export type ImageSizeName = 'thumbnail' | 'medium' | 'medium_large' | 'large';

/** Settings of the website; its address is SITE_URL and not among them. */
export interface StoredSettings extends Omit<SiteSettings, 'url'> {
  /** True if uploads are in folders by year and month. */
  readonly uploads_use_yearmonth_folders: boolean;
  /** The sizes that uploaded images are scaled to. */
  readonly image_sizes: readonly ImageSizeName[];
  /** The front page: `page` for the page with the id `page_on_front`, instead of the program's. */
  readonly show_on_front: 'posts' | 'page';
  /** 0 for no page. */
  readonly page_on_front: number;
}

/** Settings of a new website; each is stored only when it is changed. */
export const DEFAULT_SETTINGS: StoredSettings = {
  title: 'Developer Site',
  description: 'Docs and news for developers',
  email: '',
  timezone: '',
  date_format: 'F j, Y',
  time_format: 'g:i a',
  start_of_week: 1,
  language: 'en_US',
  use_smilies: true,
  default_category: 1,
  default_post_format: '0',
  posts_per_page: 10,
  default_ping_status: 'open',
  default_comment_status: 'open',
  uploads_use_yearmonth_folders: true,
  image_sizes: ['thumbnail', 'medium', 'medium_large', 'large'],
  show_on_front: 'posts',
  page_on_front: 0,
};

/** There is one website. */
const SITE = 'site';

const TYPES = { string: String, integer: Number, boolean: Boolean } as const;
const { url: _url, ...WRITABLE } = SETTINGS_WRITE;
type SettingsDocument = Partial<StoredSettings> & { readonly _id: string };

const schema = new mongoose.Schema<SettingsDocument>(
  {
    _id: { type: String },
    ...Object.fromEntries(Object.entries(WRITABLE).map(([name, { type }]) => [name, { type: TYPES[type] }])),
    uploads_use_yearmonth_folders: { type: Boolean },
    image_sizes: { type: [String], default: undefined },
    show_on_front: { type: String },
    page_on_front: { type: Number },
  },
  collectionOptions('site_settings'),
);

/** The one document of the website's settings; it contains the changed settings. */
const SiteSettingsStore = new PlainStore<SettingsDocument>('SiteSettings', schema, STAMPED);

/** Stored settings: each one that was ever set, null if it was reset. */
export async function readStoredSettings(service: Service): Promise<Partial<StoredSettings>> {
  const stored = await SiteSettingsStore.findOne(service, { _id: SITE });
  if (stored === null) return {};
  const { _id, ...settings } = stored;
  return settings;
}

/** The settings as they are in force: one query. A request reads them once, see `ContentContext`. */
export async function readSettings(service: Service): Promise<StoredSettings> {
  const stored = await readStoredSettings(service);
  const reset = Object.entries(SETTINGS_AFTER_RESET).filter(([name]) => stored[name as keyof StoredSettings] === null);
  return { ...DEFAULT_SETTINGS, ...stored, ...Object.fromEntries(reset) };
}

/** Stores the given settings in one write; null resets one. */
export async function writeSettings(
  service: Service,
  settings: {
    readonly [K in keyof StoredSettings]?: StoredSettings[K] | null;
  },
): Promise<void> {
  await SiteSettingsStore.updateOne(service, { _id: SITE }, { $set: settings }, { upsert: true });
}

/** Removes all stored settings, so that {@link DEFAULT_SETTINGS} apply again. */
export async function clearSettingsCache(service: Service): Promise<void> {
  await SiteSettingsStore.deleteOne(service, { _id: SITE });
}
