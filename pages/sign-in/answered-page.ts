import type { AnsweredRequest } from '../../auth/oauth/answered-request.ts';
import { html } from '../../http/answers/html.ts';
import { MESSAGES, messageCard } from './message-page.ts';
import type { FramedPage } from './page-frame.ts';

/** Follows the link of the page and replaces the page in the history. */
const SCRIPT = "location.replace(document.getElementById('onward').href)";

/**
 * Writes the page after an answer, which leads to the app: by its script, and by a link if scripts or a handler are missing.
 * If the app has redeemed the code already, the page explains what to do.
 */
export function answeredPage({ app, url }: AnsweredRequest): Pick<FramedPage, 'title' | 'main' | 'script'> & {
  readonly status: number;
} {
  const { redeemed } = MESSAGES;
  if (url === null) return { status: 410, title: redeemed.title, main: messageCard(redeemed) };
  const main = html`<div class="card">
<h1>Back to <bdi class="name">${app}</bdi></h1>
<p class="lead">If nothing happens, choose Continue. You can close this page afterwards.</p>
<div class="choices"><a class="button" id="onward" href="${url}">Continue</a></div>
</div>`;
  return { status: 200, title: `Back to ${app}`, main, script: SCRIPT };
}
