import type { SiteHeader } from '../../content/site/site-header.ts';
import type { SiteFrame } from '../../content/site/reading/site-frame.ts';

/**
 * The header of a page outside the website's content, which looks the same.
 *
 * @param frame parts of the website's pages; null if there is no website
 * @param current path of the page
 */
export function headerOf(frame: SiteFrame | null, root: string, current: string): SiteHeader {
  const { title = '', pages = null, docs = null, hasOwnFront = false } = frame ?? {};
  return { root, title, pages, docs, hasOwnFront, current };
}
