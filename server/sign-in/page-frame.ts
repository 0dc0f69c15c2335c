import { newNonce } from '../../http/answers/page-headers.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';
import { brandMark } from '../../content/site/page.ts';
import { formHeaders } from './form-headers.ts';

/** What a page of sign-in or of the developer platform is made of. */
export interface FramedPage {
  readonly title: string;
  readonly styles: string;
  /** `narrow` for one question, `wide` for lists. */
  readonly width: 'narrow' | 'wide';
  /** Who is signed in, with the means to sign out. */
  readonly account?: Html;
  readonly main: Html;
  /** Addresses to which a form of the page may lead; see {@link formHeaders}. */
  readonly leadsTo?: readonly string[];
}

/** A page and its headers, which belong to each other by the nonce of this one answer. */
export interface FramedAnswer {
  readonly html: string;
  readonly headers: Record<string, string>;
}

/**
 * Writes a page that needs nothing but itself: it works without scripts, and its styles are in it, because the site, which
 * has them as files, does not answer on the host of the sign-in pages.
 */
export function framedPage({ title, styles, width, account, main, leadsTo }: FramedPage): FramedAnswer {
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
</body>
</html>
`;
  return { html: page.text, headers: formHeaders(nonce, leadsTo) };
}
