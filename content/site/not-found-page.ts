import { html } from '../../http/answers/html.ts';

import { searchForm } from './site-header.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import { sitePage } from './site-page.ts';

/** Writes the page that says that an address leads nowhere. */
export function notFoundPage(frame: SiteFrame, nonce: string): string {
  return sitePage(frame, {
    title: 'Page not found',
    description: null,
    canonical: null,
    nonce,
    main: html`<div class="listing wrap">
<header class="listing-head">
<p class="kicker">404</p>
<h1>This page does not exist</h1>
<p class="listing-text">It may have moved. Search for it, or start at the <a href="${frame.root}">front page</a>.</p>
${searchForm(frame.root, 'page')}
</header>
</div>`,
  });
}
