import type { Addresses } from '../site/addresses.ts';
import { type CodeExample, codeBlock } from '../site/code-block.ts';
import { COMPONENT_NAMES, componentName } from '../site/component-names.ts';
import { type ComponentExample, type ComponentKind as Kind, examplesOf } from './component-examples.ts';
import type { ComponentReference, Described } from './component-reference.ts';
import { documentMenu, documentTurn } from '../documentation/document-menu.ts';
import type { DocumentEntry } from '../documentation/documents.ts';
import type { Demonstration, FrontPage } from '../site/front-page.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { feedLinks } from '../../content/site/feeds/feed.ts';
import { renderPage } from '../../content/site/page.ts';
import type { SiteFrame } from '../../content/site/reading/site-frame.ts';
import { headerOf } from '../site/header-of.ts';
import { TRIP_DAYS_QUERY } from '../../graphql/endpoint/trip-days-query.ts';

/** Contents of the page of the component. */
export interface ComponentPage extends Pick<FrontPage, 'addresses' | 'root' | 'nonce' | 'version' | 'demonstration'> {
  /** null if the component has not been built. */
  readonly reference: ComponentReference | null;
  /** Hashes of the files of the component by their paths, which change with them; none if it has not been built. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Pages that embed the element. */
  readonly examples: readonly CodeExample[];
  /** Parts of the website's pages; null if there is no website. */
  readonly frame: SiteFrame | null;
  /** Pages of the documentation; null if there is none. */
  readonly entries: readonly DocumentEntry[] | null;
}

const SECTIONS: readonly { readonly kind: Kind; readonly title: string; readonly about: Html }[] = [
  {
    kind: 'attributes',
    title: 'Attributes',
    about: html`Each is also a property, written <code>vehicleKey</code> for <code>vehicle-key</code>, and may change at any time.`,
  },
  {
    kind: 'members',
    title: 'Properties',
    about: html`Settings that have no attribute, and values that a page can read.`,
  },
  {
    kind: 'events',
    title: 'Events',
    about: html`All are <code>CustomEvent</code>s that bubble, cross shadow roots and cannot be cancelled.`,
  },
  { kind: 'slots', title: 'Slots', about: html`Your content instead of the default content of the element.` },
  {
    kind: 'cssParts',
    title: 'Parts',
    about: html`Inner elements that your style sheet can select with <code>::part()</code>.`,
  },
  {
    kind: 'cssStates',
    title: 'States',
    about: html`Your style sheet selects them with <code>:state()</code>.`,
  },
  { kind: 'cssProperties', title: 'Custom properties', about: html`Set them on the element, or on any ancestor.` },
];

/** Writes the page that shows every feature of the element with a live element. */
export function componentPage(page: ComponentPage): string {
  const { addresses, root, nonce, version, demonstration, reference, hashes, examples, frame, entries } = page;
  const isLive = demonstration.kind === 'live' && reference !== null;
  return renderPage({
    title: '<service-trips-map>: attributes, events and styles',
    description:
      'Every attribute, property, event, slot, part, state and custom property of the element <service-trips-map>.',
    head: frame && feedLinks(frame),
    nonce,
    header: headerOf(frame, root, `${frame?.docs ?? `${root}docs`}/component`),
    styles: ['code', 'live', 'live-log', 'component', 'docs'],
    scripts: [
      'site/browser/copy.js',
      ...(isLive ? [componentName(demonstration.live.mapboxAccessToken), 'site/browser/component.js'] : []),
    ],
    main: html`<div class="wrap component-head">
${frame && entries && documentMenu(frame, entries, 'component')}
<p class="tags"><span class="tag">Version ${version}</span></p>
<h1><code>&lt;service-trips-map&gt;</code></h1>
<p class="lead">A map of the trips of one vehicle, or of one trip, on any page. One file, no dependencies: with MapLibre GL, which needs no token, or with Mapbox.</p>
</div>
<div class="wrap component${isLive && html` is-live`}">
${isLive && stage(demonstration)}
<div class="reference">
${codeBlock({ id: 'component-embed', label: 'HTML', code: embedCode(addresses, COMPONENT_NAMES.maplibre) })}
${folded('On maps of Mapbox', codeBlock({ id: 'component-embed-mapbox', label: 'HTML', code: embedCode(addresses, COMPONENT_NAMES.mapbox) }))}
${hashes.size > 0 && pinnedSection(addresses, hashes)}
${reference && html`<nav class="contents" aria-label="On this page"><ul>${SECTIONS.map(({ kind, title }) => html`<li><a href="#${kind}">${title}</a></li>\n`)}<li><a href="#embedding">Your page</a></li></ul></nav>\n`}
${!isLive && html`<p class="notice">${formatAbsence(demonstration, reference, addresses)}</p>`}
${reference && SECTIONS.map(({ kind, title, about }) => section(kind, title, about, reference, demonstration))}
${examplesSection(examples)}
${packageSection()}
${entries && documentTurn(entries, 'component')}</div>
</div>`,
    footer: html`<p>Waybridge ${version}. This page sets no cookies and does not track you.</p>
<ul><li><a href="${root}">Front page</a></li>${Object.values(COMPONENT_NAMES).map((name) => html`<li><a href="${root}${name}" download>${name}</a></li>`)}</ul>`,
  });
}

function section(
  kind: Kind,
  title: string,
  about: Html,
  reference: ComponentReference,
  demonstration: Demonstration,
): Html {
  const entries: readonly Described[] =
    kind === 'members' ? reference.members.filter(({ attribute }) => attribute === undefined) : reference[kind];
  return html`<section id="${kind}" aria-labelledby="${kind}-title">
<h2 id="${kind}-title">${title}</h2>
<p>${about}</p>
<dl>
${entries.map(
  (entry) => html`<div class="entry" id="${kind}-${entry.name}">
<dt><code>${entry.name}</code>${factsOf(entry)}</dt>
<dd><p>${prose(entry.description)}</p>
<div class="examples">${examplesOf(kind, entry).map((example, at) => exampleButton(`${kind}-${entry.name}-${at}`, example, demonstration))}</div></dd>
</div>
`,
)}</dl>
</section>
`;
}

/** Type and default, if there are some. */
function factsOf(entry: Described & { readonly type?: { readonly text: string }; readonly default?: string }): Html {
  return html`${entry.type && html` <span class="type">${entry.type.text}</span>`}${entry.default !== undefined && html` <span class="default">default <code>${entry.default}</code></span>`}`;
}

/** A description, with text between backquotes as code. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function exampleButton(id: string, example: ComponentExample, demonstration: Demonstration): Html {
  if (demonstration.kind !== 'live') return html`<code class="example">${example.code}</code>`;
  const unavailable = example.provider === true && demonstration.live.mapboxAccessToken === null;
  return html`<button type="button" class="example" aria-pressed="false" data-id="${id}" data-example="${JSON.stringify(example)}"${unavailable && html` disabled title="Needs a map provider: set MAPBOX_ACCESS_TOKEN"`}><code>${example.code}</code></button>`;
}

/** Writes the live element, which stays in view, with its events. */
function stage({ live }: Extract<Demonstration, { kind: 'live' }>): Html {
  const local = live.mapboxAccessToken === null;
  return html`<aside class="stage" aria-label="Live element" data-graphql-url="${live.graphqlUrl}" data-trips-query="${TRIP_DAYS_QUERY}" data-site-url="${live.siteUrl}" data-mapbox-token="${live.mapboxAccessToken}" data-vehicle="${live.vehicles[0]?.key}">
<noscript><p class="notice">The element needs JavaScript. Enable it for this page to see the element.</p></noscript>
<div class="map-frame"></div>
<p class="map-note said"><output aria-live="polite">Press an example to apply it to this element.</output> <button type="button" class="link" data-reset>Reset</button></p>
<form class="combined"><label>Attributes <input name="attributes" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder='trip-list theme="dark"'></label><button>Apply</button></form>
<div class="events"><div class="scroller" tabindex="0" role="region" aria-label="Events that fired"><table><thead class="unseen"><tr><th>Time</th><th>Event</th><th>Detail</th></tr></thead><tbody></tbody></table></div></div>
<p class="map-note">Simulated trips of a simulated vehicle${local ? html`, on the maps of this service. Examples in gray need a map provider: set <code>MAPBOX_ACCESS_TOKEN</code>.` : html`, on Mapbox.`}</p>
</aside>`;
}

function formatAbsence(
  demonstration: Demonstration,
  reference: ComponentReference | null,
  { siteUrl }: Addresses,
): Html {
  if (reference === null)
    return html`The component has not been built: run <code>npm run build:element</code> and start again.`;
  switch (demonstration.kind) {
    case 'absent':
      return html`This service has no demonstration data, so the examples cannot be tried here. Start it with <code>waybridge serve --demo</code> to add some.`;
    case 'elsewhere':
      return html`The examples can be tried at <a href="${siteUrl}/docs/component">${siteUrl}/docs/component</a>, the address of this site.`;
    default:
      return html`To try the examples, embed the element as above, with your own token.`;
  }
}

function pinnedSection({ siteUrl }: Addresses, hashes: ReadonlyMap<string, string>): Html {
  const scripts = [...hashes].map(
    ([path, hash]) => `<script type="module" src="${siteUrl}/${path}"
  integrity="${hash}" crossorigin="anonymous"></script>`,
  );
  return folded(
    'With the hash of the file',
    html`<p>A browser then runs the file only if it is identical to the one that this service serves now (Subresource Integrity), and keeps it for a year. Upgrading the service or changing its address changes both the hash and this address, which then leads to the present file.</p>
${codeBlock({ id: 'component-pinned', label: 'HTML, one of the two', code: scripts.join('\n\n') })}`,
  );
}

/** Writes what is shown when the reader unfolds it. */
function folded(summary: string, content: Html): Html {
  return html`<details class="folded">
<summary>${summary}</summary>
${content}
</details>
`;
}

function examplesSection(examples: readonly CodeExample[]): Html {
  return html`<section id="embedding" aria-labelledby="embedding-title">
<h2 id="embedding-title">In your page</h2>
<p>Replace <code>VEHICLE_KEY</code>. <code>/trip-token</code> stands for your own endpoint, which requests a token for the vehicle from the service.</p>
${examples.map((example) => folded(example.label, codeBlock(example)))}
</section>`;
}

function packageSection(): Html {
  return html`<section id="package" aria-labelledby="package-title">
<h2 id="package-title">For bundlers and editors</h2>
<p>The folder <code>dist/</code> is an npm package: its modules load an engine, an optional peer dependency, when the first interactive map needs it: <code>service-web-components/maplibre</code> loads maplibre-gl, <code>service-web-components</code> mapbox-gl. It includes types, <code>custom-elements.json</code>, and custom data for VS Code.</p>
${codeBlock({
  id: 'component-vscode',
  label: '.vscode/settings.json',
  code: `{
  "html.customData": ["node_modules/service-web-components/vscode.html-custom-data.json"],
  "css.customData": ["node_modules/service-web-components/vscode.css-custom-data.json"]
}`,
})}
</section>`;
}

function embedCode({ siteUrl }: Addresses, name: string): string {
  const token = name === COMPONENT_NAMES.mapbox ? '\n  map-provider-access-token="pk.…"' : '';
  return `<script type="module" src="${siteUrl}/${name}"></script>

<service-trips-map${token}
  service-token="…"
  vehicle-key="…"
></service-trips-map>`;
}
