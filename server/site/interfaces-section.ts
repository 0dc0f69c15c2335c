import type { Addresses } from './addresses.ts';
import { type Html, html } from '../../http/answers/html.ts';

interface InterfaceCard {
  readonly name: string;
  readonly audience: string;
  readonly text: string;
  readonly address: string;
}

/** The ways into the service, each with its address. */
export function interfacesSection(addresses: Addresses): Html {
  return html`<section id="doors" class="band" aria-labelledby="doors-title">
<div class="wrap">
<div class="section-head">
<h2 id="doors-title">Five doors, one house</h2>
<p>Behind every interface are the same resolvers over the same records. A field that is added once can be read everywhere, and a rule that is made once holds everywhere.</p>
</div>
<ul class="doors">
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

function cardsOf({ baseUrl, authUrl, siteUrl, graphqlUrl }: Addresses): readonly InterfaceCard[] {
  return [
    {
      name: 'REST',
      audience: 'Scripts and back offices',
      text: 'Accounts, subscriptions, devices and groups as plain JSON. One API key in one header; long lists come in pages, by cursor.',
      address: baseUrl,
    },
    {
      name: 'GraphQL',
      audience: 'Applications',
      text: 'Vehicles and trips with their stops, gaps and speeds. The line of a trip comes as exact, or as simple, as the screen needs it.',
      address: graphqlUrl,
    },
    {
      name: 'OAuth 2.0',
      audience: 'Apps of other people',
      text: 'An owner grants an app scopes, read only unless more is approved. With the grant end all tokens that came of it.',
      address: `${authUrl}/authorize`,
    },
    {
      name: 'Component',
      audience: 'Web pages',
      text: 'One file, one element, nine events. The map is interactive or one image, in the language and the units of its reader.',
      address: `${siteUrl}/service-web-components.umd.js`,
    },
    {
      name: 'Content',
      audience: 'This website',
      text: 'Posts, pages and media behind the REST interface of WordPress, for the editors and tools that know it already.',
      address: `${siteUrl}/wp-json`,
    },
  ];
}
