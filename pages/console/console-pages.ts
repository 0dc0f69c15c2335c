import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { html, raw } from '../../http/answers/html.ts';
import type { Service } from '../../models/store/service.ts';
import { SessionPages } from '../account/session-pages.ts';
import { SIGNED_IN_PAGES, signedInPage, type SignedInPageName } from '../account/signed-in-pages.ts';
import type { Addresses } from '../site/addresses.ts';

import { LANGUAGES, languageOf } from './texts/languages.ts';

/** Addresses that the pages of the console show or request. */
export type ConsoleAddresses = Pick<Addresses, 'baseUrl' | 'graphqlUrl' | 'siteUrl'>;

/** Addresses of a service whose interfaces are below `{auth_url}`. */
export function addressesOf(issuer: string): ConsoleAddresses {
  return { baseUrl: `${issuer}/api/v2`, graphqlUrl: `${issuer}/graphql`, siteUrl: issuer };
}

/** A page of the console: its frame, and the element that draws it by GraphQL for the user who is signed in. */
export class ConsolePage extends SessionPages {
  constructor(
    service: Service,
    provider: Provider,
    styles: string,
    private readonly name: SignedInPageName,
    private readonly addresses: ConsoleAddresses,
  ) {
    super(service, provider, styles, name);
  }

  readonly actions = { 'sign-out': this.signOut };

  /** Path below `{auth_url}`. */
  get path(): string {
    return signedInPage(this.name).path;
  }

  protected async show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const language = languageOf(request.headers['accept-language']);
    const { pages, needsScript } = LANGUAGES[language];
    const { baseUrl, graphqlUrl, siteUrl } = this.addresses;
    const data = {
      role: session.role,
      root: new URL(this.url).pathname,
      'base-url': baseUrl,
      'graphql-url': graphqlUrl,
      'site-url': siteUrl.replace(/\/$/, ''),
    };
    const element = raw(`console-${this.name}`);
    const main = html`<${element}${Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`)}>
<h1>${pages[this.name]}</h1>
<noscript><p class="notice">${needsScript}</p></noscript>
</${element}>`;
    return this.send(session, reply, main, {
      language,
      module: `${this.url}/files/${this.name}.js`,
      needs: { map: 'local', connects: [siteUrl, baseUrl].map((url) => new URL(url).origin) },
    });
  }
}

/** Makes the pages of the console: those below `console`. */
export function consolePages(
  service: Service,
  provider: Provider,
  styles: string,
  addresses: ConsoleAddresses,
): ConsolePage[] {
  return (Object.keys(SIGNED_IN_PAGES) as SignedInPageName[])
    .filter((name) => /^console(?:\/|$)/.test(signedInPage(name).path))
    .map((name) => new ConsolePage(service, provider, styles, name, addresses));
}
