import type { FastifyInstance } from 'fastify';

import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { html, raw } from '../../http/answers/html.ts';
import { StaticFile } from '../../http/answers/static-file.ts';
import { readPackageFile } from '../../http/package-file.ts';
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
  app.get(`${prefix}/docs`, async (_request, reply) => {
    const nonce = newNonce();
    return reply.headers(pageHeaders(nonce)).send(docsPage(prefix, nonce));
  });
}

function docsPage(prefix: string, nonce: string): string {
  const start = `SwaggerUIBundle({ url: ${JSON.stringify(`${prefix}/openapi.json`)}, dom_id: '#docs', deepLinking: true });`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybridge account API</title>
<link rel="stylesheet" href="${prefix}/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="${prefix}/openapi.json">openapi.json</a>.</noscript>
<script nonce="${nonce}" src="${prefix}/docs/swagger-ui-bundle.js"></script>
<script nonce="${nonce}">${raw(start)}</script>
</body>
</html>`.text;
}
