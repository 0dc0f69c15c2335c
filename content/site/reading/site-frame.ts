import type { ContentContext } from '../../access/content-context.ts';
import { languageTag } from '../text/written-date.ts';

import type { NamedLink } from './article.ts';
import { hasOwnFront, isTopPage, topPages } from './related-items.ts';
import type { SiteDocuments } from './site-documents.ts';

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
  /** Path of the documentation, without a slash at its end; null if there is none. */
  readonly docs: string | null;
  /** True if a page of the website is its front page, which lacks the sections of the program's. */
  readonly hasOwnFront: boolean;
}

/** Reads the common parts of all pages of the website. */
export async function readSiteFrame(
  root: string,
  context: ContentContext,
  documents: SiteDocuments | null,
): Promise<SiteFrame> {
  const [{ title, description, language }, pages, ownFront] = await Promise.all([
    context.settings(),
    topPages(context),
    hasOwnFront(context),
  ]);
  const isMoved = documents !== null && (await isTopPage('docs', pages, context));
  return {
    site: context.site,
    root,
    title: title ?? '',
    tagline: description ?? '',
    language: languageTag(language),
    pages,
    docs: documents && `${root}${isMoved ? 'developer-docs' : 'docs'}`,
    hasOwnFront: ownFront,
  };
}
