import { STATUS_CODES } from 'node:http';

import {
  type FieldDescription,
  type InputValue,
  INTROSPECTION,
  type SchemaDescription,
  type TypeDescription,
  type TypeReference,
} from './introspection.ts';

/** Called when the reader wants to try a field. */
type TryField = (operation: 'query' | 'mutation', field: FieldDescription) => void;

/** Names of statuses in the page: answers by HTTP/2 have none (RFC 9113, section 8.3.2). */
declare const STATUS_NAMES: Readonly<Record<number, string>>;

/** Runs the page: executes operations, and shows their results and the schema. */
function runConsole(introspection: string): void {
  const query = byId('query', HTMLTextAreaElement);
  const variables = byId('variables', HTMLTextAreaElement);
  const documentation = byId('documentation', HTMLElement);
  byId('form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void runOperation();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void runOperation();
    }
  });

  const load = async (): Promise<void> => {
    const answer = await post({ query: introspection });
    const { data } = (await answer.json()) as { data: { __schema: SchemaDescription } };
    showDocumentation(documentation, data.__schema, (operation, field) => {
      const draft = draftOperation(operation, field, data.__schema.types);
      query.value = draft.query;
      variables.value = draft.variables;
      (draft.variables === '' ? query : variables).focus();
    });
  };
  load().catch(() => {
    documentation.textContent = 'The schema cannot be read; load the page again';
  });
}

function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${id}`);
}

function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(location.pathname, {
    method: 'POST',
    credentials: 'omit',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Runs the operation in the form and shows its result, with status, time and size. */
async function runOperation(): Promise<void> {
  const status = byId('status', HTMLElement);
  const result = byId('result', HTMLElement);
  const say = (text: string, tone: 'good' | 'bad' | 'busy'): void => {
    status.textContent = text;
    status.dataset.tone = tone;
  };
  say('Running …', 'busy');
  const started = performance.now();
  try {
    const query = byId('query', HTMLTextAreaElement).value;
    const answer = await post({ query, variables: enteredVariables() }, enteredHeaders());
    const text = await answer.text();
    const size = new Intl.NumberFormat('en').format(text.length);
    const ms = Math.round(performance.now() - started);
    say(
      `${answer.status} ${STATUS_NAMES[answer.status] ?? ''} · ${ms} ms · ${size} characters`,
      answer.ok ? 'good' : 'bad',
    );
    highlightJson(result, JSON.stringify(JSON.parse(text), null, 2));
  } catch (error) {
    say('No result', 'bad');
    result.textContent = error instanceof Error ? error.message : String(error);
  }
}

function enteredHeaders(): Record<string, string> {
  const lines = byId('headers', HTMLTextAreaElement).value.split('\n');
  return Object.fromEntries(
    lines
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );
}

function enteredVariables(): unknown {
  const { value } = byId('variables', HTMLTextAreaElement);
  try {
    return value.trim() === '' ? {} : JSON.parse(value);
  } catch {
    throw new TypeError('The variables must be a JSON object');
  }
}

/** The initial operation, and its variables as JSON. */
export interface Draft {
  readonly query: string;
  readonly variables: string;
}

/** Drafts a call of a field: required arguments as variables, and the fields without arguments, three levels deep. */
export function draftOperation(
  operation: 'query' | 'mutation',
  field: FieldDescription,
  types: readonly TypeDescription[],
): Draft {
  const nameOf = (type: TypeReference): string | null => (type.ofType ? nameOf(type.ofType) : type.name);
  const written = (type: TypeReference): string =>
    type.kind === 'NON_NULL' && type.ofType
      ? `${written(type.ofType)}!`
      : type.kind === 'LIST' && type.ofType
        ? `[${written(type.ofType)}]`
        : String(type.name);
  const isRequired = ({ type, defaultValue }: FieldDescription['args'][number]): boolean =>
    type.kind === 'NON_NULL' && defaultValue === null;

  const fieldsOf = (type: TypeReference) => types.find(({ name }) => name === nameOf(type))?.fields ?? null;

  const selection = (type: TypeReference, depth: number, indent: string): string => {
    const lines: string[] = [];
    for (const candidate of depth > 0 ? (fieldsOf(type) ?? []) : []) {
      const below = selection(candidate.type, depth - 1, `${indent}  `);
      const isComplete = below !== '' || fieldsOf(candidate.type) === null;
      if (isComplete && !candidate.args.some(isRequired)) {
        lines.push(`${indent}  ${candidate.name}${below}\n`);
      }
    }
    return lines.length === 0 ? '' : ` {\n${lines.join('')}${indent}}`;
  };

  const required = field.args.filter(isRequired);
  const declared = required.map(({ name, type }) => `$${name}: ${written(type)}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`}${selection(field.type, 3, '  ')}`;
  const variables = Object.fromEntries(required.map(({ name }) => [name, '']));
  return {
    query: `${operation}${declared && ` (${declared})`} {\n  ${call}\n}\n`,
    variables: required.length === 0 ? '' : JSON.stringify(variables, null, 2),
  };
}

/** Shows JSON with its names, strings, numbers and literals in their colors. */
function highlightJson(target: HTMLElement, json: string): void {
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of json.matchAll(tokens)) {
    const [text, quoted, colon, word] = match;
    const span = document.createElement('span');
    span.className = quoted === undefined ? (word === undefined ? 'number' : 'word') : colon ? 'name' : 'text';
    span.textContent = quoted ?? text;
    parts.push(json.slice(end, match.index), span, colon ?? '');
    end = match.index + text.length;
  }
  target.replaceChildren(...parts, json.slice(end));
}

/** Shows the queries and mutations of the schema, then the types that they use, which link to each other. */
function showDocumentation(target: HTMLElement, schema: SchemaDescription, tryField: TryField): void {
  const roots = [
    ['Queries', 'query', schema.queryType.name],
    ['Mutations', 'mutation', schema.mutationType?.name],
  ] as const;
  const sections = roots.map(([title, operation, typeName]) => {
    const fields = schema.types.find(({ name }) => name === typeName)?.fields ?? [];
    if (fields.length === 0) return '';
    const entries = fields.map((field) => rootField(field, () => tryField(operation, field)));
    return make('section', {}, make('h3', {}, title), ...entries);
  });

  const rootNames = new Set<string | undefined>(roots.map(([, , name]) => name));
  const types = schema.types
    .filter(({ name }) => !name.startsWith('__') && !isBuiltIn(name) && !rootNames.has(name))
    .map(typeEntry);

  target.replaceChildren(...sections, make('section', {}, make('h3', {}, 'Types'), ...types));
  target.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#type-"]') : null;
    const details = link && document.getElementById(String(link.getAttribute('href')).slice(1));
    if (details instanceof HTMLDetailsElement) {
      details.open = true;
      details.querySelector('summary')?.focus();
    }
  });
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function list(items: readonly Node[]): Node[] {
  return items.length === 0 ? [] : [make('ul', {}, ...items)];
}

function isBuiltIn(name: string): boolean {
  return ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(name);
}

function rootField(field: FieldDescription, tryIt: () => void): Node {
  const button = make('button', { type: 'button', className: 'quiet' }, 'Try it');
  button.setAttribute('aria-label', `Try ${field.name}`);
  button.addEventListener('click', tryIt);
  const returns = make('span', {}, 'Returns ', make('code', {}, typeLink(field.type)));
  return make(
    'details',
    {},
    make('summary', {}, make('code', {}, field.name)),
    ...descriptionOf(field),
    ...list(field.args.map(inputEntry)),
    make('p', { className: 'result-type' }, returns, button),
  );
}

function typeEntry(type: TypeDescription): Node {
  const fields = (type.fields ?? []).map((field) => ({ ...field, defaultValue: null }));
  return make(
    'details',
    { id: `type-${type.name}` },
    make('summary', {}, make('code', { className: 'type' }, type.name)),
    ...descriptionOf(type),
    ...list([...fields, ...(type.inputFields ?? [])].map(inputEntry)),
    ...list((type.enumValues ?? []).map(({ name }) => make('li', {}, make('code', {}, name)))),
  );
}

function inputEntry(input: InputValue): Node {
  const { name, type, defaultValue } = input;
  const value = defaultValue === null ? '' : ` = ${defaultValue}`;
  return make('li', {}, make('code', {}, name, ': ', typeLink(type), value), ...descriptionOf(input));
}

function typeLink(type: TypeReference): Node {
  if (type.ofType) {
    const [before, after] = type.kind === 'LIST' ? ['[', ']'] : ['', '!'];
    return make('span', {}, before, typeLink(type.ofType), after);
  }
  const name = String(type.name);
  return isBuiltIn(name)
    ? make('span', { className: 'type' }, name)
    : make('a', { className: 'type', href: `#type-${name}` }, name);
}

/** Descriptions are Markdown by convention; only code between backticks is rendered. */
function descriptionOf({ description }: { readonly description: string | null }): Node[] {
  if (!description) return [];
  const parts = description.split('`').map((part, at) => (at % 2 === 1 ? make('code', {}, part) : part));
  return [make('p', { className: 'description' }, ...parts)];
}

const FUNCTIONS = [
  ...[runConsole, byId, post, runOperation, enteredHeaders, enteredVariables, draftOperation, highlightJson],
  ...[showDocumentation, make, list, isBuiltIn, rootField, typeEntry, inputEntry, typeLink, descriptionOf],
];

/** The page's script: the text of functions in this file, which use only each other, so that it needs no bundler. */
export const PAGE_SCRIPT = `const STATUS_NAMES = ${JSON.stringify(STATUS_CODES)};
${FUNCTIONS.join('\n')}\nrunConsole(${JSON.stringify(INTROSPECTION)});`;
