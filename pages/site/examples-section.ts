import type { Addresses } from './addresses.ts';
import { codeBlock, quote } from './code-block.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { COMPONENT_NAMES } from './component-names.ts';

interface Step {
  readonly title: string;
  readonly text: Html;
  readonly label: string;
  readonly code: string;
}

/**
 * Examples that lead from an API key to a map.
 *
 * @param caFile authority for `curl` to trust; null for a public one
 */
export function examplesSection(addresses: Addresses, caFile: string | null): Html {
  return html`<section id="examples" class="band" aria-labelledby="examples-title">
<div class="wrap">
<div class="section-head">
<h2 id="examples-title">From an API key to a map</h2>
<p>Three requests and a snippet of HTML, in order. The first two requests need your API key, the third needs the credentials of your app.</p>
</div>
<ol class="steps">
${stepsOf(addresses, caFile).map(
  ({ title, text, label, code }, index) => html`<li>
<div class="step-text"><h3>${title}</h3><p>${text}</p></div>
${codeBlock({ id: `example-${index + 1}`, label, code })}
</li>
`,
)}</ol>
</div>
</section>`;
}

function stepsOf({ baseUrl, authUrl, siteUrl, graphqlUrl }: Addresses, caFile: string | null): readonly Step[] {
  const curl = caFile === null ? 'curl' : `curl --cacert ${quote(caFile)}`;
  return [
    {
      title: 'List the devices',
      text: html`The response holds up to 50 devices and, if there are more, a <code>cursor</code>: send it to get the next page.`,
      label: 'REST',
      code: `${curl} \\
  -H "Service-Api-Key: $API_KEY" \\
  ${baseUrl}/devices`,
    },
    {
      title: 'Query trips',
      text: html`<code>path</code> is the line of a trip as an encoded polyline; <code>tolerance_meters</code> is the maximum deviation of a simplified line from the recording.`,
      label: 'GraphQL',
      code: `${curl} -G ${graphqlUrl} \\
  -H "Service-Api-Key: $API_KEY" -H "Content-Type: application/json" \\
  --data-urlencode 'query={
    trips(vehicle_key: "VEHICLE_KEY", first: 3) {
      nodes { key distance_meters path(tolerance_meters: 5) { points } }
    }
  }'`,
    },
    {
      title: 'Get a token for a page',
      text: html`Your server requests the token and passes it to your page. It is valid nowhere else: <code>aud</code> is the origin of your page, <code>sub</code> the one vehicle.`,
      label: 'Special-purpose token',
      code: `${curl} ${authUrl}/api/special-purpose/v1/token \\
  -H "Authorization: bearer $OAUTH_ACCESS_TOKEN" -H "Content-Type: application/json" \\
  -d '{ "client_id": "'"$CLIENT_ID"'", "client_secret": "'"$CLIENT_SECRET"'",
        "sub": "vehicle:'"$VEHICLE_KEY"'", "aud": "https://your-page.example",
        "roles": "service://<service-trips-map />", "scope": "loc-past" }'`,
    },
    {
      title: 'Embed the map',
      text: html`Host the file with your page, or load it from here. It contains the address of this service.`,
      label: 'HTML',
      code: `<script type="module" src="${siteUrl}/${COMPONENT_NAMES.maplibre}"></script>

<service-trips-map
  service-token="THE_TOKEN_OF_STEP_3"
  vehicle-key="VEHICLE_KEY"></service-trips-map>`,
    },
  ];
}
