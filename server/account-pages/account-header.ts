import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Pages of a signed-in user, by the last part of their address. */
const PAGES = { apps: 'Developer platform', security: 'Security' } as const;

/** Writes who is signed in, the way to the other pages, and the means to sign out. */
export function accountHeader(issuer: string, current: keyof typeof PAGES, session: BrowserSession): Html {
  const { email, formToken } = session;
  return html`<div class="who">
<nav aria-label="Pages">${Object.entries(PAGES).map(
    ([path, title]) => html`<a href="${issuer}/${path}"${path === current && html` aria-current="page"`}>${title}</a> `,
  )}</nav>
<span>${email}</span>
<form method="post" action="${issuer}/${current}/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="button quiet compact" type="submit">Sign out</button></form></div>`;
}
