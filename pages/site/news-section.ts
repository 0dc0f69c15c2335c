import type { FrontMatter } from '../../content/site/content-site.ts';
import { searchForm } from '../../content/site/site-header.ts';
import { textHtml } from '../../content/site/text/text-html.ts';

import { type Html, html } from '../../http/answers/html.ts';

/** The newest posts of the website, the way to all of them, and its pages; nothing where nothing was published. */
export function newsSection(news: FrontMatter | null): Html | null {
  if (news === null || (news.newest.length === 0 && news.frame.pages.length === 0)) return null;
  const { frame, newest } = news;
  return html`<section id="news" class="band news" aria-labelledby="news-title">
<div class="wrap">
<div class="section-head">
<h2 id="news-title">${newest.length > 0 ? 'From the blog' : 'More to read'}</h2>
<p>${textHtml(frame.title)}${frame.title !== '' && frame.tagline !== '' && ': '}${textHtml(frame.tagline)}</p>
</div>
${newest.length > 0 && html`<div class="cards">\n${newest}</div>\n`}<div class="news-foot">
<ul class="page-links">
${newest.length > 0 && html`<li><a href="${frame.root}blog/">All posts</a></li>\n`}${frame.pages.map(({ name, link }) => html`<li><a href="${link}">${textHtml(name)}</a></li>\n`)}</ul>
${searchForm(frame.root, 'page')}
</div>
</div>
</section>`;
}
