import type { FastifyReply, FastifyRequest } from 'fastify';

import { keepPages } from '../../content/caching/keep-pages.ts';
import type { ContentSite } from '../../content/site/content-site.ts';
import { formTokenInPage } from '../../content/site/forms/comment-form.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { packageVersion, readPackageFile } from '../../http/package-file.ts';
import type { Service } from '../../models/store/service.ts';
import type { Documentation } from '../documentation/documentation.ts';
import { documentationIndex, documentPage } from '../documentation/documentation-page.ts';
import { llmsText } from '../documentation/llms-text.ts';

import { FOLDERS, keepFromSignIn } from './site-endpoint.ts';

const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** The documentation below `{site_url}`: pages, their Markdown, and a list of them for tools. */
export function documentationEndpoint(service: Service, website: ContentSite, documentation: Documentation): Endpoint {
  const { root } = website;
  const version = packageVersion();
  const { settings, isMoved } = documentation;

  /** Answers with the document of a path below `docs`; null if there is none. */
  async function documentAt(path: string, reply: FastifyReply): Promise<FastifyReply | null> {
    if (path === 'schema.graphql') return reply.type(PLAIN).send(String(await readPackageFile(path)));
    const entries = await documentation.entries();
    const isSource = path.endsWith('.md');
    const entry = entries.find(({ name }) => name === (isSource ? path.slice(0, -'.md'.length) : path));
    if (path !== '' && !entry) return null;
    if (isSource) return entry?.source ? reply.type(MARKDOWN).send(entry.source) : null;
    const nonce = newNonce();
    const page = { frame: await website.frame(), nonce, version, entries };
    const rendered = entry && (await documentation.rendered(entry));
    if (entry && !rendered) return null;
    const body = entry && rendered ? documentPage(page, entry, rendered) : documentationIndex(page);
    return reply.headers({ ...pageHeaders(nonce), 'Cache-Control': 'public, max-age=60' }).send(body);
  }

  /** Answers for an address in one of the folders; content of the website at that address is preferred in `docs`. */
  async function answer(folder: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { '*': below = '' } = request.params as { readonly '*'?: string };
    const path = below.replace(/\/$/, '');
    const [whole] = (request.raw.url ?? '').split('?');
    const { docs } = await website.frame();
    const address = `${docs}${path === '' ? '' : `/${path}`}`;
    if (`${root}${folder}` !== docs && (await website.hasItemAt(`${folder}/${path}`)))
      return website.answer(request, reply);
    if (address === whole) return (await documentAt(path, reply)) ?? website.answer(request, reply);
    const entries = await documentation.entries();
    const isOurs = path === '' || entries.some(({ name }) => path === name || path === `${name}.md`);
    return isOurs ? reply.redirect(address, 302) : website.answer(request, reply);
  }

  return {
    name: 'documentation',
    register: (app) => {
      keepFromSignIn(app, settings);
      keepPages(service, app, formTokenInPage);
      for (const folder of isMoved ? FOLDERS.slice(1) : FOLDERS) {
        for (const path of [folder, `${folder}/*`]) {
          app.get(root + path, (request, reply) => answer(folder, request, reply));
        }
      }
      app.get(`${root}llms.txt`, async (_request, reply) => {
        const { docs, title, tagline } = await website.frame();
        const entries = await documentation.entries();
        const address = new URL(docs ?? '', settings.siteUrl).href;
        return reply.type(PLAIN).send(llmsText({ title, tagline, address, entries }));
      });
    },
  };
}
