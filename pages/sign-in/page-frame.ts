import type { FastifyReply } from 'fastify';

import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';
import { readPackageFile } from '../../http/package-file.ts';
import { brandMark } from '../../content/site/site-header.ts';

/** Contents of a page of sign-in or of the developer platform. */
export interface FramedPage {
  readonly title: string;
  readonly styles: string;
  /** `narrow` for one question, `wide` for lists. */
  readonly width: 'narrow' | 'wide';
  /** Name of the signed-in user, with the form to sign out. */
  readonly account?: Html;
  readonly main: Html;
  /** A page of `/authorize`, which apps open in a window of theirs: this lets them detect when the window is closed. */
  readonly keepsOpener?: boolean;
  /** Script of the page, which also works without it. */
  readonly script?: string;
}

/** Writes a page that works without scripts and other files: the site is not served on the sign-in host. */
export function framedPage({ title, styles, width, account, main, keepsOpener = false, script }: FramedPage) {
  const nonce = newNonce();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Waybridge</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${raw(styles)}</style>
</head>
<body class="sign-in ${width}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<p class="brand">${brandMark()}<span>Waybridge</span></p>
${account}
</header>
<main id="main" tabindex="-1">
${main}
</main>
${script !== undefined && html`<script nonce="${nonce}">${raw(script)}</script>`}
</body>
</html>
`;
  return { html: page.text, headers: formHeaders(nonce, keepsOpener) };
}

/** Answers with a page that {@link framedPage} writes. */
export function sendFramedPage(reply: FastifyReply, contents: FramedPage): FastifyReply {
  const page = framedPage(contents);
  return reply.headers(page.headers).send(page.html);
}

/**
 * Makes the headers of a page with a form. The browser sends the page's origin to the page itself, so that `Origin` of the
 * form can be checked, and to no other site.
 */
function formHeaders(nonce: string, keepsOpener: boolean): Record<string, string> {
  return { ...pageHeaders(nonce, { keepsOpener }), 'Referrer-Policy': 'same-origin' };
}

/**
 * Reads the styles of the sign-in pages: those of the site, and their own.
 *
 * @throws Error if one is missing
 */
export async function pageStyles(): Promise<string> {
  const files = ['pages/site/styles/base.css', 'pages/site/styles/chrome.css', 'pages/sign-in/sign-in.css'];
  return (await Promise.all(files.map(readPackageFile))).join('\n');
}
