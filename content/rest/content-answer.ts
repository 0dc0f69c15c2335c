import pLimit from 'p-limit';

import type { ContentContext } from '../access/content-context.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';

import type { Dispatch } from './content-bridge.ts';
import type { ContentLinks } from './record-links.ts';
import type { ContentRequest } from './content-request.ts';
import { embedTogether, type ListEmbedded } from './embed-together.ts';
import { parsePhpQuery } from './php-query.ts';
import { keepWanted, orEmptyList, wantedFields } from './selection.ts';
import { errorResponseOf, type Outcome, type RawAnswer } from './content-table.ts';

/** An answer as it is sent: a status, headers of the interface, and a body of a media type. */
export interface ContentAnswer extends RawAnswer {
  readonly headers: Readonly<Record<string, string | number>>;
}

/** A record, or another document of the interface. */
type Members = Readonly<Record<string, unknown>>;

/** Answers a request, with `_fields`, `_embed`, `_envelope`, `_jsonp`. `admit` may throw before each embedding. */
export async function contentAnswer(
  dispatch: Dispatch,
  request: ContentRequest,
  context: ContentContext,
  admit: () => Promise<void>,
): Promise<ContentAnswer> {
  const { _jsonp: callback, _embed, _envelope } = request.query;
  if (callback !== undefined && !(typeof callback === 'string' && /^[\w.]*$/.test(callback))) {
    const body = JSON.stringify(INVALID_CALLBACK);
    return { status: 400, headers: discovery(context.api), type: SCRIPT_TYPE, body };
  }
  const found = await dispatch(request, context);
  const outcome = withFields(found);
  if (outcome.raw) return { headers: { ...discovery(context.api), ...outcome.headers }, ...outcome.raw };
  const body = await bodyOf(
    outcome,
    _embed === undefined ? undefined : await embedder(found, embeddedRelations(_embed), dispatch, context, admit),
  );
  const isEnveloped = _envelope !== undefined;
  const { status, headers } = outcome;
  const document = isEnveloped ? { body, status, headers: orEmptyList(headers) } : body;
  const sent = {
    status: isEnveloped ? 200 : status,
    headers: { ...discovery(context.api), ...(isEnveloped ? {} : headers) },
  };
  if (outcome.format) return { ...sent, type: outcome.format.type, body: outcome.format.write(document) };
  const text = JSON.stringify(document);
  return {
    ...sent,
    type: callback ? SCRIPT_TYPE : JSON_TYPE,
    // An empty name means no callback.
    body: callback ? `/**/${callback}(${text})` : text,
  };
}

/** Answers a request that was rejected before it was dispatched. `api` is `{site_url}/wp-json`. */
export function errorAnswer(error: ContentError, api: string): ContentAnswer {
  const { status, body } = errorResponseOf(error);
  return { status, headers: discovery(api), type: JSON_TYPE, body: JSON.stringify(body) };
}

const INVALID_CALLBACK = { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' };

const TOO_MUCH_EMBEDDED = new ContentError(
  'rest_too_many_embedded',
  'More is linked to than can be embedded in one answer. Ask for fewer objects by `per_page`.',
  400,
);

const JSON_TYPE = 'application/json; charset=UTF-8';
const SCRIPT_TYPE = 'application/javascript; charset=UTF-8';

/** The header that links to the interface; an answer with its own links has those instead. */
function discovery(api: string): ContentAnswer['headers'] {
  return { Link: `<${api}/>; rel="https://api.w.org/"` };
}

/** Keeps the members that `_fields` names, of each element of a list or of a single object; links are added later. */
function withFields(outcome: Outcome): Outcome {
  const wanted = wantedFields(outcome.fields);
  if (wanted === null || outcome.status >= 400 || outcome.raw) return outcome;
  const pick = (members: object) => keepWanted(members, wanted);
  const { body } = outcome;
  return { ...outcome, body: Array.isArray(body) ? body.map(pick) : pick(body as object) };
}

/** Shows the targets of embeddable links. */
type Embed = (links: ContentLinks) => Promise<Members | undefined>;

async function bodyOf({ body, links }: Outcome, embed: Embed | undefined): Promise<unknown> {
  if (Array.isArray(body) && links === undefined) {
    return embed ? Promise.all(body.map((item: Members) => withEmbedded(item, embed))) : body;
  }
  const linked = links && Object.keys(links).length > 0 ? { ...(body as Members), _links: links } : body;
  return embed && linked !== null && typeof linked === 'object' ? withEmbedded(linked as Members, embed) : linked;
}

async function withEmbedded(item: Members, embed: Embed): Promise<Members> {
  const embedded = item._links === undefined ? undefined : await embed(item._links as ContentLinks);
  return embedded === undefined ? item : { ...item, _embedded: embedded };
}

/** Maximum number of look-ups for the objects that one request embeds; a page of 100 posts needs 500. */
const MAX_EMBEDDED = 1000;
/** Maximum number of concurrent look-ups of a request. */
const EMBEDDING_CONCURRENCY = 4;

/** A request for an embedded object, without its path and parameters. */
const EMBEDDED = { method: 'GET', form: {}, json: undefined, isEmbedded: true } as const;

/** The relations that `_embed` names; null for all. Source: WordPress's `rest_parse_embed_param`. */
function embeddedRelations(parameter: unknown): ReadonlySet<string> | null {
  if (!isTruthy(parameter) || parameter === 'true' || parameter === '1') return null;
  const names = typeof parameter === 'object' ? Object.values(parameter ?? {}) : String(parameter).split(/[\s,]+/);
  return new Set(names.map(String));
}

/** The links of some relations. */
function linksOf(links: unknown, relations: ReadonlySet<string> | null): ContentLinks {
  const all = Object.entries((links ?? {}) as ContentLinks);
  return Object.fromEntries(all.filter(([relation]) => relations?.has(relation) ?? true));
}

/**
 * Makes the function that embeds objects in an answer. Those of a list are looked up together, see {@link embedTogether}; each
 * of the others is looked up once, however many objects link to it.
 */
async function embedder(
  { body }: Outcome,
  embedded: ReadonlySet<string> | null,
  dispatch: Dispatch,
  context: ContentContext,
  admit: () => Promise<void>,
): Promise<Embed> {
  const { api } = context;
  const lookups = new Map<string, Promise<unknown>>();
  const limited = pLimit(EMBEDDING_CONCURRENCY);
  const list: ListEmbedded = (path, query) =>
    dispatch({ ...EMBEDDED, path, query: { ...query, context: 'embed' } }, context);
  const narrowed = (item: Members) => ({ ...item, _links: linksOf(item._links, embedded) });
  const together = Array.isArray(body)
    ? await embedTogether(body.map(narrowed), api, list)
    : new Map<string, unknown>();
  const show = async (href: string): Promise<unknown> => {
    await admit();
    const { pathname, search } = new URL(href);
    const path = pathname.slice(new URL(api).pathname.length);
    const { context: display = 'embed', ...query } = parsePhpQuery(search.slice(1));
    const request = { ...EMBEDDED, path, query: { ...query, context: display } };
    return bodyOf(await dispatch(request, context), undefined);
  };
  const showOnce = (href: string): Promise<unknown> => {
    const known = lookups.get(href);
    if (known) return known;
    if (lookups.size >= MAX_EMBEDDED) throw TOO_MUCH_EMBEDDED;
    const found = together.get(href);
    const lookup = found === undefined ? limited(() => show(href)) : admit().then(() => found);
    lookups.set(href, lookup);
    return lookup;
  };
  return async (links) => {
    // A type links only to itself, by an address instead of a list.
    const relations = Object.entries(linksOf(links, embedded)).filter(
      ([, targets]) => Array.isArray(targets) && targets.some(({ embeddable }) => embeddable),
    );
    const shown = await Promise.all(
      relations.map(async ([relation, targets]) => {
        const lookups = targets.map(({ href, embeddable }) =>
          embeddable && href.startsWith(api) ? showOnce(href) : [],
        );
        return [relation, await Promise.all(lookups)] as const;
      }),
    );
    const found = shown.filter(([, objects]) => objects.some((object) => isTruthy(object)));
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  };
}
