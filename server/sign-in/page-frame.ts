import { type Html, html, raw } from '../site/html.ts';
import { brandMark } from '../site/page.ts';

/** What a page of sign-in or of the developer platform is made of. */
export interface FramedPage {
  readonly title: string;
  readonly nonce: string;
  readonly styles: string;
  /** `narrow` for one question, `wide` for lists. */
  readonly width: 'narrow' | 'wide';
  /** Who is signed in, with the means to sign out. */
  readonly account?: Html;
  readonly main: Html;
}

/**
 * Writes a page that needs nothing but itself: it works without scripts, and its styles are in it, because the site, which
 * has them as files, does not answer on the host of the sign-in pages.
 */
export function framedPage({ title, nonce, styles, width, account, main }: FramedPage): string {
  return html`<!doctype html>
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
`.text;
}
