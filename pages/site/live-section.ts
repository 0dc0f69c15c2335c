import type { DemoVehicle } from './demo-token.ts';

import { componentName } from './component-names.ts';
import { copyButton } from './code-block.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { TRIP_DAYS_QUERY } from '../../graphql/endpoint/trip-days-query.ts';

/** Settings of the live map on the front page. */
export interface LiveMap {
  readonly vehicles: readonly DemoVehicle[];
  readonly graphqlUrl: string;
  readonly siteUrl: string;
  /** Public token of Mapbox; null draws with MapLibre GL. */
  readonly mapboxAccessToken: string | null;
  /** Address of the service on the local network; null if it is not there. */
  readonly lan: string | null;
}

/** The live map: a vehicle and a day to choose, the element, its events, and how to embed it. */
export function liveSection(live: LiveMap): Html {
  const local = live.mapboxAccessToken === null;
  return html`<section id="live" class="live" aria-labelledby="live-title" data-graphql-url="${live.graphqlUrl}" data-trips-query="${TRIP_DAYS_QUERY}" data-component-url="${live.siteUrl}/${componentName(live.mapboxAccessToken)}" data-mapbox-token="${live.mapboxAccessToken}">
<div class="wrap">
<div class="section-head">
<p class="tags"><span class="tag simulated">Simulated data</span><span class="tag">Shown ${live.lan === null ? 'on this machine' : 'in this network'} only</span></p>
<h2 id="live-title">The live map</h2>
<p>The vehicles and their trips are simulated, and keep driving while you watch; everything else is real. This page gets a token for one vehicle, and the element below reads its trips over GraphQL, as it would on your own page.</p>
</div>
<noscript><p class="notice">The live map needs JavaScript. Enable it for this page to see the map.</p></noscript>
<div class="bench" hidden>
<div class="pane choose">
<div class="field"><label for="live-vehicle">Vehicle</label><select id="live-vehicle" name="vehicle">${live.vehicles.map(
    ({ key, nickname }) => html`<option value="${key}">${nickname}</option>`,
  )}</select></div>
<div class="field"><label for="live-day">Day</label><select id="live-day" name="day"></select></div>
<p class="status" role="status"></p>
</div>
<div class="pane map">
<div class="map-frame"></div>
<p class="map-note">${
    local
      ? html`Drawn with MapLibre GL, on the maps of this service. Set <code>MAPBOX_ACCESS_TOKEN</code> to use Mapbox.`
      : html`Drawn on Mapbox, with the token in <code>MAPBOX_ACCESS_TOKEN</code>.`
  }</p>
</div>
<fieldset class="pane attributes">
<legend>Attributes</legend>
${choice('map-type', ['interactive', 'static'], local ? 'A static map needs MAPBOX_ACCESS_TOKEN' : null)}
${choice('theme', ['auto', 'light', 'dark'])}
${choice('units', ['', 'km', 'mi'])}
${choice('locale', ['', 'en', 'de', 'pt', 'es'])}
${choice('trip-list', ['true', 'false'])}
${choice('color-by', ['trip', 'speed'])}
${choice('replay', ['false', 'true'])}
${choice('live', ['true', 'false'])}
${choice('reverse-geocode', ['false', 'true'], local ? 'Addresses need MAPBOX_ACCESS_TOKEN' : null)}
</fieldset>
<div class="pane events">
<div class="pane-head"><h3 id="events-title">Events</h3><button type="button" class="link" data-clear-events>Clear</button></div>
<div class="scroller" tabindex="0" role="region" aria-labelledby="events-title">
<table><thead class="unseen"><tr><th>Time</th><th>Event</th><th>Detail</th></tr></thead><tbody></tbody></table>
</div>
</div>
<div class="pane snippet">
<div class="pane-head"><h3>Embed this map</h3>${copyButton('live-snippet', 'the embed snippet')}</div>
<pre tabindex="0" aria-label="Embed snippet"><code id="live-snippet"></code></pre>
</div>
</div>
</div>
</section>`;
}

/** Writes a notice in place of the live map. */
export function liveNotice(text: Html): Html {
  return html`<section id="live" class="live" aria-label="Live map"><div class="wrap"><p class="notice">${text}</p></div></section>`;
}

/** A choice of values of an attribute; the first one is its default. */
function choice(attribute: string, values: readonly string[], unavailable: string | null = null): Html {
  const id = `live-${attribute}`;
  return html`<div class="field"${unavailable !== null && html` title="${unavailable}"`}><label for="${id}"><code>${attribute}</code></label><select id="${id}" name="${attribute}"${unavailable !== null && html` disabled`}>${values.map(
    (value) => html`<option value="${value}">${value === '' ? 'auto' : value}</option>`,
  )}</select></div>`;
}
