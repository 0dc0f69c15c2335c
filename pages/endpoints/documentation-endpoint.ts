import type { FastifyReply, FastifyRequest } from 'fastify';

import { keepPages } from '../../content/caching/keep-pages.ts';
import { type ContentSite, sendDocument } from '../../content/site/content-site.ts';
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

/**
 * The documentation below `{site_url}`: pages, their Markdown, and a list of them for tools. `docs` below `{base_url}` leads to
 * the reference of the account API.
 */
export function documentationEndpoint(service: Service, website: ContentSite, documentation: Documentation): Endpoint {
  const { root } = website;
  const version = packageVersion();
  const { settings } = documentation;
  const reference = `${new URL(settings.baseUrl).pathname.replace(/\/$/, '')}/docs`;

  /** Answers with what is at a path below `docs`; null if nothing is. */
  async function answerAt(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const entries = await documentation.entries();
    const entry = entries.find(({ name }) => path === name || path === `${name}.md`);
    if (path === 'schema.graphql') {
      return sendDocument({ body: String(await readPackageFile(path)) }, request, reply.type(PLAIN));
    }
    if (entry !== undefined && path !== entry.name) {
      return entry.source === null ? null : sendDocument({ body: entry.source }, request, reply.type(MARKDOWN));
    }
    const nonce = newNonce();
    const page = { frame: await website.frame(), nonce, version, entries };
    const rendered = entry && (await documentation.rendered(entry));
    if (path !== '' && !rendered) return null;
    const body = entry && rendered ? documentPage(page, entry, rendered) : documentationIndex(page);
    return sendDocument({ body }, request, reply.headers(pageHeaders(nonce)));
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
    if (address === whole) return (await answerAt(path, request, reply)) ?? website.answer(request, reply);
    const entries = await documentation.entries();
    const isOurs = path === '' || entries.some(({ name }) => path === name || path === `${name}.md`);
    return isOurs ? reply.redirect(address, 302) : website.answer(request, reply);
  }

  const addressOf = async (path = '') => new URL((await website.frame()).docs + path, settings.siteUrl).href;

  return {
    name: 'documentation',
    register: (app) => {
      keepFromSignIn(app, settings);
      keepPages(service, app, formTokenInPage);
      for (const folder of FOLDERS) {
        for (const path of [folder, `${folder}/*`]) {
          app.get(root + path, (request, reply) => answer(folder, request, reply));
        }
      }
      if (reference !== `${root}docs`)
        app.get(reference, async (_request, reply) => reply.redirect(await addressOf('/api')));
      app.get(`${root}llms.txt`, async (request, reply) => {
        const { title, tagline } = await website.frame();
        const [entries, address] = await Promise.all([documentation.entries(), addressOf()]);
        return sendDocument({ body: llmsText({ title, tagline, address, entries }) }, request, reply.type(PLAIN));
      });
    },
  };
}
