import type { ContentContext } from '../../access/content-context.ts';
import { languageTag } from '../text/written-date.ts';

import type { NamedLink } from './article.ts';
import { topPages } from './related-items.ts';

/** Common parts of all pages of the website. */
export interface SiteFrame {
  /** Address of the website without a slash at its end. */
  readonly site: string;
  /** Path of the site, with a trailing slash. */
  readonly root: string;
  /** Title of the website, as its editors set it. */
  readonly title: string;
  readonly tagline: string;
  /** BCP 47. */
  readonly language: string;
  /** The topmost pages. */
  readonly pages: readonly NamedLink[];
}

/** Reads the common parts of all pages of the website. */
export async function readSiteFrame(root: string, context: ContentContext): Promise<SiteFrame> {
  const [{ title, description, language }, pages] = await Promise.all([context.settings(), topPages(context)]);
  return {
    site: context.site,
    root,
    title: title ?? '',
    tagline: description ?? '',
    language: languageTag(language),
    pages,
  };
}
