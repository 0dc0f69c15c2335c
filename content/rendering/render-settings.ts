/** What of the site's settings the rendering depends on. */
export interface RenderSettings {
  /** Whether smilies are shown as pictures (the setting `use_smilies`). */
  readonly smilies: boolean;
  /** The address of the website, without a slash at its end. */
  readonly siteUrl: string;
}
