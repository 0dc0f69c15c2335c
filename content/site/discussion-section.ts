import type { Discussion, Remark } from './reading/discussion.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';

import { textHtml } from './text-html.ts';
import { timeElement } from './written-date.ts';

/** The comments on an article, each with its answers below it; nothing where there are none. */
export function discussionSection({ total, remarks }: Discussion, language: string): Html | null {
  if (remarks.length === 0) return null;
  return html`<section class="discussion wrap" aria-labelledby="comments">
<h2 id="comments">${total === 1 ? 'One comment' : `${total} comments`}</h2>
${thread(remarks, language)}</section>
`;
}

function thread(remarks: readonly Remark[], language: string): Html | null {
  if (remarks.length === 0) return null;
  return html`<ol class="thread">
${remarks.map((remark) => html`<li id="comment-${remark.id}">${comment(remark, language)}${thread(remark.answers, language)}</li>\n`)}</ol>
`;
}

function comment({ id, author, url, date, content }: Remark, language: string): Html {
  const name = author.trim() === '' ? 'Anonymous' : textHtml(author);
  const isLink = /^https?:\/\//i.test(url);
  return html`<article class="remark">
<p class="remark-head"><b>${isLink ? html`<a href="${url}" rel="external nofollow ugc">${name}</a>` : name}</b> <a class="when" href="#comment-${id}">${timeElement(date, language)}</a></p>
<div class="prose">${raw(content)}</div>
</article>
`;
}
