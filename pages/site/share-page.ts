import type { ShareLink } from '../../auth/caller.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Contents of the page of a share. */
export interface SharePage {
  /** Path of the site, which ends with a slash. */
  readonly root: string;
  readonly nonce: string;
  /** End of the page's address. */
  readonly secret: string;
  readonly caller: ShareLink;
  /** Name of the vehicle or the group. */
  readonly name: string | null;
  /** True for one trip that has ended, which is replayed instead of followed. */
  readonly isEnded: boolean;
  /** Path of the component below the site's. */
  readonly component: string;
  /** Token by which the page reads what is shared. */
  readonly token: string;
  /** Public token of Mapbox; null draws with MapLibre GL. */
  readonly mapboxAccessToken: string | null;
}

/** Returns the name of what a share shows. */
export function shareTitle({ caller, name }: Pick<SharePage, 'caller' | 'name'>): string {
  return name ?? (caller.trip_key === null ? 'Vehicle' : 'Trip');
}

/** Writes the page of a share: the name of the vehicle or the group, when the link ends, the map, and facts about the trip or the vehicle. */
export function sharePage(page: SharePage): string {
  const { root, secret } = page;
  const name = shareTitle(page);
  return renderDocument({
    root,
    title: name,
    head: html`${styles(root)}${scripts(page)}`,
    body: html`<main class="share"${sharedData(page)}>
<header>
<h1>${name}</h1>
<p class="until">This link ends <time datetime="${new Date(page.caller.expires).toISOString()}"></time>.</p>
</header>
<div class="map-frame"><noscript><img src="${root}s/${secret}/trip.svg" alt="Lines of the trips, without a map, which needs JavaScript"></noscript></div>
<dl class="facts" aria-label="${page.isEnded ? 'Trip' : 'Vehicle'}" hidden></dl>
</main>`,
  });
}

/** Contents of the page that other pages frame. */
export interface EmbedPage extends SharePage {
  /** SVG of the trips, which is shown where the page may request nothing. */
  readonly drawing: string;
  /** Address of its description by oEmbed. */
  readonly discovery: string;
}

/**
 * Writes the page that other pages frame: the map alone, and a drawing until it is there. In a frame without an origin of its own,
 * which may request nothing, the drawing stays: what else the page needs is in a template.
 */
export function embedPage(page: EmbedPage): string {
  const { root, nonce, drawing, discovery } = page;
  const title = shareTitle(page);
  return renderDocument({
    root,
    title,
    head: html`<link rel="alternate" type="application/json+oembed" href="${discovery}" title="${title}">
<style nonce="${nonce}">html, body, main, .map-frame, .drawing { display: block; width: 100%; height: 100%; margin: 0; object-fit: contain; background: #e9eef3 }</style>
<template>${styles(root)}${scripts(page)}</template>
<script nonce="${nonce}">if (self.origin !== 'null') document.head.append(document.querySelector('template').content.cloneNode(true))</script>
`,
    body: html`<main class="share embedded"${sharedData(page)}>
<div class="map-frame"><img class="drawing" src="data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}" alt="${title}"></div>
</main>`,
  });
}

function scripts({ root, nonce, component }: SharePage): Html {
  const paths = [component, 'site/browser/share.js'];
  return html`${paths.map((path) => html`<script type="module" nonce="${nonce}" src="${root}${path}"></script>\n`)}`;
}

function styles(root: string): Html {
  const paths = ['base', 'share'].map((name) => `site/styles/${name}.css`);
  return html`${paths.map((path) => html`<link rel="stylesheet" href="${root}${path}">\n`)}`;
}

/** Attributes from which the script of the page makes the map. */
function sharedData({ token, caller, isEnded, mapboxAccessToken }: SharePage): Html {
  const vehicle = caller.group_key === null ? html` data-vehicle-key="${caller.vehicle_keys[0]}"` : null;
  return html` data-token="${token}"${vehicle} data-trip-key="${caller.trip_key}" data-mapbox-token="${mapboxAccessToken}"${isEnded && html` data-ended`}`;
}

/** Writes the page of a link that shows nothing; the same for links that never existed or were revoked. */
export function endedSharePage(root: string, isKnown: boolean): string {
  const text = isKnown ? 'It has expired.' : 'It may have been revoked, or was copied only in part.';
  return renderDocument({
    root,
    title: isKnown ? 'This link has ended' : 'This link shows nothing',
    head: styles(root),
    body: html`<main class="share-ended">
<h1>${isKnown ? 'This link has ended' : 'This link shows nothing'}</h1>
<p>${text} Ask the person who sent it for a new one.</p>
</main>`,
  });
}

interface Document {
  readonly root: string;
  readonly title: string;
  readonly head: Html;
  readonly body: Html;
}

function renderDocument({ root, title, head, body }: Document): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${head}</head>
<body>
${body}
</body>
</html>
`.text;
}
