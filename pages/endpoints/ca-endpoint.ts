import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { renderSVG } from 'uqr';

import { html, raw } from '../../http/answers/html.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageStyles, sendFramedPage } from '../sign-in/page-frame.ts';

/** Path of the page on which telephones get the certificate of the local authority, below `{site_url}`. */
export const CA_PATH = '/ca';

/**
 * The page `{site_url}/ca` of a service on the local network, for telephones that are to trust its authority, with the
 * certificate, `{site_url}/ca.crt`.
 *
 * @param caFile path of the certificate, as PEM
 */
export async function caEndpoint(siteUrl: string, caFile: string): Promise<Endpoint> {
  const styles = await pageStyles();
  const prefix = new URL(siteUrl).pathname.replace(/\/$/, '');
  return {
    name: 'local authority',
    register: (app) => {
      app.get(`${prefix}${CA_PATH}.crt`, async (_request, reply) =>
        reply
          .type('application/x-x509-ca-cert')
          .headers({ 'Content-Disposition': 'attachment; filename="waybridge-ca.crt"', 'Cache-Control': 'no-store' })
          .send(await readFile(caFile)),
      );
      app.get(prefix + CA_PATH, async (_request, reply) => {
        const { fingerprint256 } = new X509Certificate(await readFile(caFile));
        const main = pageOf(siteUrl, fingerprint256);
        return sendFramedPage(reply, { title: 'Connect a phone', styles, width: 'narrow', main });
      });
    },
  };
}

function pageOf(siteUrl: string, fingerprint: string) {
  return html`<div class="card">
<h1>Connect a phone</h1>
<p class="lead">Phones send positions only to services that they trust. Open this page on the phone, in the same Wi-Fi as this service, and install its certificate once.</p>
<figure class="qr" role="img" aria-label="QR code of the address of this page">${raw(renderSVG(siteUrl + CA_PATH, { border: 2 }))}</figure>
<p class="small"><code>${siteUrl}${CA_PATH}</code></p>
<div class="choices"><a class="button" href="${siteUrl}${CA_PATH}.crt">Download the certificate</a></div>
<p class="small">The first time, the browser warns that it does not know this service: continue. Before you trust the certificate, compare its SHA-256 fingerprint with the one that the service printed when it started:<br><code>${fingerprint}</code></p>
</div>
<div class="card">
<h2>iPhone and iPad</h2>
<ol class="numbered">
<li>Download with Safari, and allow the profile.</li>
<li>Settings, General, VPN &amp; Device Management: install “Waybridge local CA”.</li>
<li>Settings, General, About, Certificate Trust Settings: turn it on. Without this step, apps do not trust it.</li>
</ol>
<h2>Android</h2>
<ol class="numbered">
<li>Download, and close the message of the browser.</li>
<li>Settings: search for “CA certificate”, and choose “Install anyway” and the file. Android may ask for the screen lock.</li>
</ol>
<p class="small">Names of settings differ by version and maker.</p>
</div>
<div class="card">
<h2>Which apps trust it</h2>
<p class="lead">Traccar Client 10.1 and OwnTracks (2.6 for Android, 26.3 for iOS) trust what the phone trusts. Other apps on Android decide for themselves, and most trust only what Android came with: use one of these two, or give the service a public name.</p>
<p class="small">The certificate can vouch only for private networks and this machine’s names, not for websites. The phone reaches the service in this network only. On mobile data it keeps positions and sends them when it is back; to receive them at once, the service needs a public name.</p>
</div>`;
}
