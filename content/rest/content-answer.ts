import pLimit from 'p-limit';

import { ContentError } from '../schema/content-error.ts';

import type { Dispatch } from './content-bridge.ts';
import type { ContentLinks } from './links/content-links.ts';
import { isRejection, type Outcome, errorResponseOf } from './content-outcome.ts';
import { type ContentRequest, requestOf } from './content-request.ts';
import type { RawAnswer } from './content-table.ts';
import { fieldsAsked, type Members, pickFields } from './response-fields.ts';

/** What is sent: a status, headers of the interface, and a body of a media type. */
export interface ContentAnswer extends RawAnswer {
  readonly headers: Readonly<Record<string, string | number>>;
}

/** What a caller is told about where the interface is, unless the answer has links of its own. */
type Answering = (request: ContentRequest, context: unknown) => Promise<ContentAnswer>;

/**
 * Puts to outcomes what every request may ask for: `_fields`, `_embed`, `_envelope` and `_jsonp`.
 *
 * @param address the root of the interface, `{site_url}/wp-json`
 * @param admit is asked before each look-up of what is embedded, and throws where there have been too many
 */
export function contentAnswers(
  dispatch: Dispatch,
  address: string,
  admit: (context: unknown) => Promise<void> = async () => undefined,
): Answering {
  return async (request, context) => {
    const { _jsonp: callback, _embed: embed, _envelope: envelope } = request.query;
    if (callback !== undefined && !/^[\w.]+$/.test(String(callback))) {
      const body = { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' };
      return { status: 400, headers: discovery(address), type: SCRIPT_TYPE, body: JSON.stringify(body) };
    }
    const outcome = withFields(await dispatch(request, context), request);
    if (outcome.raw) return { headers: { ...discovery(address), ...outcome.headers }, ...outcome.raw };
    const embedding = embed === undefined ? undefined : embedder(dispatch, address, context, admit);
    const body = await bodyOf(outcome, embedding);
    const { status, headers } = envelope === undefined ? outcome : { status: 200, headers: {} as Outcome['headers'] };
    const sent =
      envelope === undefined ? body : { body, status: outcome.status, headers: orEmptyList(outcome.headers) };
    const text = JSON.stringify(sent);
    return {
      status,
      headers: { ...discovery(address), ...headers },
      type: callback === undefined ? JSON_TYPE : SCRIPT_TYPE,
      body: callback === undefined ? text : `/**/${String(callback)}(${text})`,
    };
  };
}

/** Answers that nothing was dispatched for: the request is refused as a whole. */
export function errorAnswer(error: ContentError, address: string): ContentAnswer {
  const { status, body } = errorResponseOf(error);
  return { status, headers: discovery(address), type: JSON_TYPE, body: JSON.stringify(body) };
}

/** Refusal of an answer that would take too many look-ups. */
const TOO_MUCH_EMBEDDED = new ContentError(
  'rest_too_many_embedded',
  'More is linked to than can be embedded in one answer. Ask for fewer objects by `per_page`.',
  400,
);

const JSON_TYPE = 'application/json; charset=UTF-8';
const SCRIPT_TYPE = 'application/javascript; charset=UTF-8';

function discovery(address: string): Readonly<Record<string, string>> {
  return { Link: `<${address}/>; rel="https://api.w.org/"` };
}

function orEmptyList(members: Members): Members | readonly [] {
  return Object.keys(members).length > 0 ? members : [];
}

/** Keeps the members that `_fields` names, of each element of a list or of the one object; links are told later. */
function withFields(outcome: Outcome, { query }: ContentRequest): Outcome {
  const names = fieldsAsked(query._fields);
  if (names === undefined || isRejection(outcome) || outcome.raw) return outcome;
  const { body } = outcome;
  return {
    ...outcome,
    body: Array.isArray(body)
      ? body.map((item: Members) => pickFields(item, names))
      : pickFields(body as Members, names),
  };
}

/** Shows what the embeddable links of an object lead to. */
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

/** Maximum look-ups for what one request embeds; a page of 100 posts needs 500. */
const MAX_EMBEDDED = 1000;
/** Look-ups of one request at the same moment. */
const EMBEDDING_CONCURRENCY = 4;

/** What one request embeds is asked for once, however many objects link to it. */
function embedder(
  dispatch: Dispatch,
  address: string,
  context: unknown,
  admit: (context: unknown) => Promise<void>,
): Embed {
  const asked = new Map<string, Promise<unknown>>();
  const inTurn = pLimit(EMBEDDING_CONCURRENCY);
  const show = async (href: string): Promise<unknown> => {
    await admit(context);
    const { pathname, search } = new URL(href);
    const request = requestOf(pathname.slice(new URL(address).pathname.length), search.slice(1));
    const query = request.query.context === undefined ? { ...request.query, context: 'embed' } : request.query;
    return bodyOf(await dispatch({ ...request, query }, context), undefined);
  };
  return async (links) => {
    // A description names only itself, by an address in place of a list.
    const relations = Object.entries(links).filter(
      ([, targets]) => Array.isArray(targets) && targets.some(({ embeddable }) => embeddable),
    );
    const shown = await Promise.all(
      relations.map(async ([relation, targets]) => [
        relation,
        await Promise.all(
          targets.map(({ href, embeddable }) => {
            if (!embeddable || !href.startsWith(address)) return [];
            const known = asked.get(href);
            if (known) return known;
            if (asked.size >= MAX_EMBEDDED) throw TOO_MUCH_EMBEDDED;
            const showing = inTurn(() => show(href));
            asked.set(href, showing);
            return showing;
          }),
        ),
      ]),
    );
    return shown.length > 0 ? Object.fromEntries(shown) : undefined;
  };
}
