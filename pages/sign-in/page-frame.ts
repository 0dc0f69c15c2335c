import type { FastifyReply } from 'fastify';

import { newNonce, type PageOptions, pageHeaders } from '../../http/answers/page-headers.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';
import { readPackageFile } from '../../http/package-file.ts';
import { brandMark } from '../../content/site/site-header.ts';
import { type Language, LANGUAGES } from '../console/texts/languages.ts';

/** Contents of a page of sign-in or of the developer platform. */
export interface FramedPage {
  readonly title: string;
  readonly styles: string;
  /** `narrow` for one question, `wide` for lists, `console` beside the navigation of a signed-in user. */
  readonly width: 'narrow' | 'wide' | 'console';
  /** Navigation, and the name of the signed-in user, with the form to sign out. */
  readonly account?: Html;
  readonly main: Html;
  /**
   * Requirements of the page. A page of `/authorize`, which apps open in a window of theirs, keeps its opener, so that they
   * detect when the window is closed.
   */
  readonly needs?: PageOptions;
  /** Script of the page, which also works without it. */
  readonly script?: string;
  /** Address of the page's module. */
  readonly module?: string;
  /** Language of the page, English by default. */
  readonly language?: Language;
}

/** Writes a page that works without scripts and other files: the site is not served on the sign-in host. */
export function framedPage({ title, styles, width, account, main, needs, script, ...page }: FramedPage) {
  const { module, language = 'en' } = page;
  const nonce = newNonce();
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Waybridge</title>
<link rel="icon" href="data:,">
${module !== undefined && html`<script type="module" nonce="${nonce}" src="${module}"></script>`}
<style nonce="${nonce}">${raw(styles)}</style>
</head>
<body class="sign-in ${width}">
<a class="skip" href="#main">${LANGUAGES[language].skip}</a>
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
  return { html: document.text, headers: formHeaders(nonce, needs) };
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
function formHeaders(nonce: string, needs?: PageOptions): Record<string, string> {
  return { ...pageHeaders(nonce, needs), 'Referrer-Policy': 'same-origin' };
}

/**
 * Reads the styles of the sign-in pages, those of the site and their own, and further ones.
 *
 * @throws Error if one is missing
 */
export async function pageStyles(...further: readonly string[]): Promise<string> {
  const files = ['pages/site/styles/base.css', 'pages/site/styles/chrome.css', 'pages/sign-in/sign-in.css', ...further];
  return (await Promise.all(files.map(readPackageFile))).join('\n');
}
