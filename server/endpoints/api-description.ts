import type { FastifyInstance } from 'fastify';

import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { html, raw } from '../../http/answers/html.ts';
import { StaticFile } from '../../http/answers/static-file.ts';
import { readPackageFile } from '../../http/package-file.ts';
import { brandMark } from '../../content/site/site-header.ts';
import { API_TAG_GROUPS } from './api-tags.ts';
import { SWAGGER_FILES } from './swagger-files.ts';

/**
 * Serves an OpenAPI document at `openapi.json`, and at `docs` a page on which people read it and try the API.
 *
 * @param prefix path of the API, without a slash at its end
 */
export function addApiDescription(app: FastifyInstance, prefix: string, document: object): void {
  const description = new StaticFile(JSON.stringify(document), {
    type: 'application/json; charset=utf-8',
    cacheControl: 'public, max-age=300',
    shared: true,
  });
  app.get(`${prefix}/openapi.json`, { compress: false }, (request, reply) => description.send(request, reply));

  for (const [name, type] of Object.entries(SWAGGER_FILES)) {
    let file: StaticFile | undefined;
    app.get(`${prefix}/docs/${name}`, { compress: false }, async (request, reply) => {
      // Created on first use, which saves 2 MB of memory if the description is never read.
      file ??= new StaticFile(await readPackageFile(`build/bundle/swagger-ui/${name}`), {
        type,
        cacheControl: 'public, max-age=300',
      });
      return file.send(request, reply);
    });
  }
  let styles: StaticFile | undefined;
  app.get(`${prefix}/docs/reference.css`, { compress: false }, async (request, reply) => {
    const parts = await Promise.all(STYLES.map((name) => readPackageFile(`pages/site/styles/${name}.css`)));
    const options = { type: 'text/css; charset=utf-8', cacheControl: 'no-cache' };
    styles ??= new StaticFile(parts.join('\n'), options);
    return styles.send(request, reply);
  });
  app.get(`${prefix}/docs`, async (_request, reply) => {
    const nonce = newNonce();
    return reply.headers(pageHeaders(nonce)).send(docsPage(prefix, nonce));
  });
}

/** Style sheets that give Swagger UI the look of the site. */
const STYLES = ['base', 'chrome', 'reference'];

/** Replaces the links within the buttons of Swagger UI by texts: a control within another cannot be used by everyone. */
const PLAIN_LINKS = `({ React }) => ({ wrapComponents: { DeepLink: () => ({ text }) => React.createElement('span', null, text) } })`;

/** Makes parts of Swagger UI beside its `main` landmarks, and the title of its schemas one of the second level. */
const NAME_PARTS = `() => { for (const [name, label] of [['information', 'About'], ['scheme', 'Authorization']]) Object.assign(document.querySelector('.' + name + '-container') ?? {}, { role: 'region', ariaLabel: label }); Object.assign(document.querySelector('.models h4') ?? {}, { ariaLevel: '2' }); }`;

function docsPage(prefix: string, nonce: string): string {
  const start = `SwaggerUIBundle({ url: ${JSON.stringify(`${prefix}/openapi.json`)}, dom_id: '#docs', deepLinking: true, plugins: [${PLAIN_LINKS}], onComplete: ${NAME_PARTS} });`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waybridge account API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/swagger-ui.css">
<link rel="stylesheet" href="${prefix}/docs/reference.css">
</head>
<body class="reference">
<a class="skip" href="#docs">Skip to the endpoints</a>
<header class="top"><p class="brand">${brandMark()}<span>Waybridge</span></p><h1>Account API</h1><p><a href="${prefix}/openapi.json">openapi.json</a></p></header>
<nav class="contents" aria-label="Endpoints">${Object.entries(API_TAG_GROUPS).map(
    ([group, tags]) => html`<h2>${group}</h2>
<ul>${Object.keys(tags).map((tag) => html`<li><a href="#operations-tag-${tag}">${tag}</a></li>`)}</ul>
`,
  )}</nav>
<div class="endpoints">
<div id="docs"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="${prefix}/openapi.json">openapi.json</a>.</noscript>
</div>
<script nonce="${nonce}" src="${prefix}/docs/swagger-ui-bundle.js"></script>
<script nonce="${nonce}">${raw(start)}</script>
</body>
</html>`.text;
}
