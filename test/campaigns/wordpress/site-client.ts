import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

import type { GeneratedRequest } from './generated-request.ts';
import { type SeededSite, passwordOf } from './seeded-site.ts';

/** Time after which a request counts as unanswered, in milliseconds. */
const MAX_ANSWER_MS = 60_000;

/** An answer of a site, in which the address of the site is `SITE`. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends requests to one of the two sites. */
export class SiteClient {
  /** Origin of the site, without a slash at its end. */
  readonly url: string;
  readonly #seeded: SeededSite;
  readonly #agent: HttpAgent | HttpsAgent;

  /** @param ca the authority to trust, as PEM, where the site is reached by HTTPS */
  constructor(url: string, seeded: SeededSite, ca?: string) {
    this.url = url;
    this.#seeded = seeded;
    this.#agent = ca === undefined ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ca });
  }

  /** Sends a request whose addresses are those of the seeded site. */
  async send({
    method,
    path,
    login,
    body,
  }: Pick<GeneratedRequest, 'method' | 'path' | 'login' | 'body'>): Promise<SiteAnswer> {
    const content = body === null ? null : Buffer.from(body.text.replaceAll(this.#seeded.base_url, this.url));
    const target = path.replaceAll(encodeURIComponent(this.#seeded.base_url), encodeURIComponent(this.url));
    const send = this.url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = send(this.url + target, {
      method,
      agent: this.#agent,
      signal: AbortSignal.timeout(MAX_ANSWER_MS),
      headers: {
        ...(login !== null && { authorization: `Basic ${btoa(`${login}:${passwordOf(this.#seeded, login)}`)}` }),
        ...(content !== null && { 'content-type': body?.type, 'content-length': content.length }),
      },
    });
    sent.end(content ?? undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const headers = Object.entries(answer.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']);
    return {
      status: answer.statusCode ?? 0,
      headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name, this.#neutral(value)])),
      body: this.#neutral(await text(answer)),
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #neutral(content: string): string {
    return content
      .replaceAll(this.url, 'SITE')
      .replaceAll(this.url.replaceAll('/', '\\/'), 'SITE')
      .replaceAll(encodeURIComponent(this.url), 'SITE');
  }
}
