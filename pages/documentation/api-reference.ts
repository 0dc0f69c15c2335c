import { type Html, html } from '../../http/answers/html.ts';

import { codeFigure } from './code-figures.ts';
import type { DocumentHeading, DocumentSection, RenderedDocument } from './render-document.ts';

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> };
}

interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, ApiBody>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, ApiBody>> }>>;
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface ApiBody {
  readonly schema: ApiSchema;
  readonly example?: unknown;
}

interface ApiSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly items?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
}

/** An operation with its place. */
interface PlacedOperation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

/** Ways to authenticate, in the order in which an operation accepts them. */
const CREDENTIALS: Readonly<Record<string, string>> = { apiKey: 'API key', oauth2: 'app', deviceKey: 'device key' };

/**
 * Writes the reference of the account API: its operations by subject, with their parameters, what they return and an example
 * each, and the objects that they return.
 *
 * @param curl the command, with the options that it needs here
 */
export function apiReference(api: ApiDescription, curl: string): RenderedDocument {
  const [{ url = '' } = {}] = api.servers;
  const headings: DocumentHeading[] = [];
  const title = 'API reference';
  const sections: DocumentSection[] = [{ id: null, heading: title, text: `${api.info.title}, REST`, code: '' }];
  const body: Html[] = [
    html`<p>Every operation of the <a href="account-api">account API</a> below <code>${url}</code>, version ${api.info.version}, from its <a href="${url}/openapi.json">OpenAPI 3.1 document</a>. Lists take <code>size</code> and <code>cursor</code>; reads take <code>If-None-Match</code>, changes <code>If-Match</code>, and <code>POST</code> takes an <code>Idempotency-Key</code>.</p>\n`,
  ];
  for (const [tag, operations] of byTag(api)) {
    const heading = { id: tag, depth: 2, title: html`${titleOf(tag)}` };
    headings.push(heading);
    const about = api.tags.find(({ name }) => name === tag)?.description;
    body.push(html`<h2 id="${tag}"><a class="anchor" href="#${tag}">${heading.title}</a></h2>\n<p>${about}</p>\n`);
    const parts: Html[] = [];
    for (const operation of operations) {
      const { method, path, operationId, summary, description = '' } = operation;
      sections.push({
        id: operationId,
        heading: `${method} ${path}`,
        text: `${summary} ${description}`,
        code: operationId,
      });
      parts.push(operationHtml(operation, exampleOf(operation, curl, url), api));
    }
    body.push(part(parts));
  }
  headings.push({ id: 'objects', depth: 2, title: html`Objects` });
  body.push(html`<h2 id="objects"><a class="anchor" href="#objects">Objects</a></h2>\n`, part(returned(api)));
  return { title: html`${title}`, headings, body: html`${body}`, sections };
}

/** A part of the page that browsers lay out when the reader comes near it. */
function part(content: readonly Html[]): Html {
  return html`<div class="prose part">\n${content}</div>\n`;
}

function byTag({ paths }: ApiDescription): Map<string, PlacedOperation[]> {
  const groups = new Map<string, PlacedOperation[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag = ''] = operation.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method: method.toUpperCase(), path }]);
    }
  }
  return groups;
}

function operationHtml(operation: PlacedOperation, code: string, api: ApiDescription): Html {
  const { method, path, operationId: id, summary, description, parameters = [] } = operation;
  const members = membersOf(bodyOf(operation)?.schema, api);
  const shown = [...parameters.filter((parameter) => ['path', 'query'].includes(parameter.in)), ...members];
  return html`<h3 id="${id}" class="operation"><a class="anchor" href="#${id}"><span class="method">${method}</span> ${path}</a></h3>
<p>${prose(summary)} ${description && prose(description)}</p>
<p class="allowed">${accessOf(operation)}${answerOf(operation, api)}</p>
${shown.length > 0 && table('Parameters', shown.map(parameterRow))}${codeFigure(`${id}-example`, { info: 'sh', code })}`;
}

function table(label: string, rows: readonly Html[]): Html {
  return html`<div class="table stacks" role="group" tabindex="0" aria-label="${label}"><table><tbody>\n${rows}</tbody></table></div>\n`;
}

/** The title of a tag: `api_key` is "API key". */
function titleOf(tag: string): string {
  const words = tag.replaceAll('_', ' ').replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function parameterRow({ name, in: place, required, description = '' }: ApiParameter): Html {
  return html`<tr><td><code>${name}</code></td><td>${place}${required && ', required'}</td><td>${prose(description)}</td></tr>\n`;
}

/** The status and the type of an answer that is JSON. */
function answerOf({ responses }: ApiOperation, api: ApiDescription): Html | false {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const { schema } = answer?.content?.['application/json'] ?? {};
  return schema !== undefined && html`. Returns ${status} with ${typeOf(schema, api)}`;
}

/** A type, with a link to the object that it is. */
function typeOf({ $ref, anyOf = [], items, type = 'any' }: ApiSchema, api: ApiDescription): Html {
  const name = nameOf($ref);
  const { enum: values } = api.components.schemas[name] ?? {};
  if (values) return html`${values.map((value, at) => html`${at > 0 && ', '}<code>${value}</code>`)}`;
  if (name !== '') return html`<a href="#object-${name}">${name}</a>`;
  if (anyOf.length > 0) return html`${anyOf.map((one, at) => html`${at > 0 && ' or '}${typeOf(one, api)}`)}`;
  return items ? html`list of ${typeOf(items, api)}` : html`${[type].flat().join(' or ')}`;
}

const nameOf = (reference = '') => reference.split('/').at(-1) ?? '';

/** The objects that operations return, with those in them. */
function returned(api: ApiDescription): Html[] {
  const { schemas } = api.components;
  const namesIn = (value: unknown) => JSON.stringify(value).match(/(?<="#\/components\/schemas\/)\w+/g) ?? [];
  const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
  const names = new Set(operations.flatMap(({ responses }) => namesIn(responses)));
  for (const name of names) for (const inner of namesIn(schemas[name])) names.add(inner);
  return [...names].sort().map((name) => {
    const { description = '', properties } = schemas[name] ?? {};
    const rows = Object.entries(properties ?? {}).map(
      ([member, schema]) =>
        html`<tr><td><code>${member}</code></td><td>${typeOf(schema, api)}</td><td>${prose(schema.description ?? '')}</td></tr>\n`,
    );
    return html`${properties && html`<h3 id="object-${name}"><a class="anchor" href="#object-${name}">${name}</a></h3>\n<p>${prose(description)}</p>\n${table(name, rows)}`}`;
  });
}

function bodyOf({ requestBody }: ApiOperation): ApiBody | undefined {
  return requestBody && (requestBody.content['application/json'] ?? Object.values(requestBody.content)[0]);
}

function membersOf(schema: ApiSchema | undefined, { components }: ApiDescription): ApiParameter[] {
  const { properties = {}, required = [] } = components.schemas[nameOf(schema?.$ref)] ?? schema ?? {};
  return Object.entries(properties).map(([name, { description = '' }]) => {
    return { name, in: 'body', required: required.includes(name), description };
  });
}

function accessOf({ security }: ApiOperation): Html {
  const ways = security.flatMap((way) => Object.entries(way));
  return html`With ${ways.map(([name, scopes], at) => html`${at > 0 && ' or '}${CREDENTIALS[name] ?? name}${scopes.map((scope) => html` (<code>${scope}</code>)`)}`)}`;
}

function exampleOf(operation: PlacedOperation, curl: string, url: string): string {
  const { method, path, security } = operation;
  const header = security.some((way) => 'deviceKey' in way)
    ? '"Authorization: Bearer $DEVICE_KEY_SECRET"'
    : '"Service-Api-Key: $API_KEY"';
  const address = url + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const isDefault = method === 'GET' || (method === 'POST' && operation.requestBody !== undefined);
  const { example } = bodyOf(operation) ?? {};
  const data =
    typeof example === 'object'
      ? ` \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(example)}'`
      : example === undefined
        ? ''
        : ' \\\n  --data-binary @file';
  return `${curl} ${isDefault ? '' : `-X ${method} `}-H ${header} \\\n  "${address}"${data}`;
}

/** A description, with text between backquotes as code. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
