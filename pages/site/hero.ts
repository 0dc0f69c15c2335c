import { type Html, html } from '../../http/answers/html.ts';

/**
 * The title of the front page, over a relief with a trip across it.
 *
 * @param setupUrl address at which to create the first account; null if there is one, or the visitor may not know
 */
export function hero(showsMap: boolean, setupUrl: string | null): Html {
  return html`<section class="hero" aria-labelledby="title">
<div class="relief" aria-hidden="true"></div>
${route()}
<div class="wrap">
<div class="hero-text">
<h1 id="title">Trips, from the&nbsp;vehicle to&nbsp;your&nbsp;page</h1>
<p class="lead">Waybridge stores the positions that vehicles record, splits them into trips, and serves them: to scripts over REST, to applications over GraphQL, and to web pages through one HTML element.</p>
<p class="actions">${actions(showsMap, setupUrl)}</p>
</div>
</div>
</section>
<section class="facts" aria-label="In short">
<div class="wrap">
<dl>
<div><dt>HTTPS only</dt><dd>Plain HTTP is rejected, not redirected: a redirect would come after the key had been sent in the clear.</dd></div>
<div><dt>One process</dt><dd>The database is built in. Set <code>MONGODB_URI</code> to use a MongoDB server instead.</dd></div>
<div><dt>60 minutes</dt><dd>Lifetime of a map token, which gives pages of one origin access to one vehicle.</dd></div>
<div><dt>One set of rules</dt><dd>Access is decided in one place, for every interface.</dd></div>
</dl>
</div>
</section>`;
}

function actions(showsMap: boolean, setupUrl: string | null): Html {
  const [first, second] = showsMap
    ? [{ href: '#live', text: setupUrl === null ? 'Open the live map' : 'Look around' }, EXAMPLES]
    : [EXAMPLES, { href: '#interfaces', text: 'See the interfaces' }];
  const other = setupUrl === null ? second : { href: setupUrl, text: 'Start your own' };
  return html`<a class="button" href="${first.href}">${first.text}</a>\n<a class="button quiet" href="${other.href}">${other.text}</a>`;
}

const EXAMPLES = { href: '#examples', text: 'Read the examples' };

/** A trip along the valleys of the relief, with its start, a stop and its end. */
function route(): Html {
  return html`<svg class="route" viewBox="0 0 1200 640" preserveAspectRatio="xMaxYMid slice" aria-hidden="true" focusable="false">
<path class="casing" d="${ROUTE}"/><path class="way" pathLength="1" d="${ROUTE}"/>
<circle class="start" cx="672" cy="548" r="9"/><circle class="stop" cx="866" cy="318" r="7"/>
<g class="end"><path d="M1128 178c-13-15-19-25-19-35a19 19 0 0 1 38 0c0 10-6 20-19 35z"/><circle cx="1128" cy="143" r="7"/></g>
</svg>`;
}

const ROUTE =
  'M672 548C712 586 790 590 832 552S880 496 860 454 802 392 812 356 846 318 866 318 ' +
  '914 330 944 352 1010 392 1062 372 1140 318 1132 262 1128 214 1128 178';
