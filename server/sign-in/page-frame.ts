import type { FastifyReply } from 'fastify';

import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';
import { readPackageFile } from '../package/package-file.ts';
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
  /** Addresses to which an answered form of the page may be redirected. */
  readonly leadsTo?: readonly string[];
}

/** Writes a page that works without scripts and other files: the site does not answer on the host of sign-in. */
export function framedPage({ title, styles, width, account, main, leadsTo }: FramedPage) {
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

/** Answers with a page that {@link framedPage} writes. */
export function sendFramedPage(reply: FastifyReply, contents: FramedPage): FastifyReply {
  const page = framedPage(contents);
  return reply.headers(page.headers).send(page.html);
}

/**
 * Makes the headers of a page with a form. The browser sends the page's origin to the page itself, so that `Origin` of the
 * form can be checked, and to nobody else.
 *
 * @param leadsTo addresses to which an answered form may be redirected: `form-action` holds for the whole chain (CSP Level
 * 3, section 6.4.2)
 */
function formHeaders(nonce: string, leadsTo: readonly string[] = []): Record<string, string> {
  return { ...pageHeaders(nonce, { formTargets: leadsTo.map(sourceOf) }), 'Referrer-Policy': 'same-origin' };
}

/** An address as a source of a policy: its origin, or its scheme where it has none or the grammar lacks it (IPv6). */
function sourceOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}

/**
 * Reads the styles of the sign-in pages: those of the site, and their own.
 *
 * @throws Error if one is missing
 */
export async function pageStyles(): Promise<string> {
  const files = ['server/site/styles/base.css', 'server/site/styles/chrome.css', 'server/sign-in/sign-in.css'];
  return (await Promise.all(files.map(readPackageFile))).join('\n');
}
