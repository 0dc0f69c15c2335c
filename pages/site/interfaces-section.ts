import type { Addresses } from './addresses.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { COMPONENT_NAMES } from './component-names.ts';

/** Writes the interfaces of the service, each with its address. */
export function interfacesSection(addresses: Addresses): Html {
  return html`<section id="interfaces" class="band" aria-labelledby="interfaces-title">
<div class="wrap">
<div class="section-head">
<h2 id="interfaces-title">Five interfaces</h2>
<p>REST, GraphQL and the component share the same records and resolvers: a field that is added once is available in each, and a rule that is set once applies to all.</p>
</div>
<ul class="interfaces">
${cardsOf(addresses).map(
  ({ name, audience, text, address }) => html`<li>
<p class="audience">${audience}</p>
<h3>${name}</h3>
<p>${text}</p>
<p class="address"><code>${address}</code></p>
</li>
`,
)}</ul>
</div>
</section>`;
}

function cardsOf({ baseUrl, authUrl, siteUrl, graphqlUrl }: Addresses) {
  return [
    {
      name: 'REST',
      audience: 'Scripts and back offices',
      text: 'Accounts, subscriptions, devices and groups as plain JSON. Authenticate with an API key in a header; page through long lists by cursor.',
      address: baseUrl,
    },
    {
      name: 'GraphQL',
      audience: 'Applications',
      text: 'Vehicles and trips with their stops, gaps and speeds. Get the line of a trip as recorded, or simplified for the screen.',
      address: graphqlUrl,
    },
    {
      name: 'OAuth 2.0',
      audience: 'Third-party apps',
      text: 'An owner grants an app scopes, read-only unless more is approved. Revoking the grant revokes all of its tokens.',
      address: `${authUrl}/authorize`,
    },
    {
      name: 'Component',
      audience: 'Web pages',
      text: 'One file, one element, nine events. An interactive map or a static image, in the language and units of the reader.',
      address: `${siteUrl}/${COMPONENT_NAMES.maplibre}`,
    },
    {
      name: 'Content',
      audience: 'This website',
      text: 'Posts, pages and media through the REST API of WordPress, for editors and tools that already use it.',
      address: `${siteUrl}/wp-json`,
    },
  ];
}
