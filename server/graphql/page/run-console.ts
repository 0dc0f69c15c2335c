import type { draftOperation } from './draft-operation.ts';
import type { highlightJson } from './highlight-json.ts';
import type { SchemaDescription } from './introspection.ts';
import type { showDocumentation } from './show-documentation.ts';

/** The other functions that run in the page; a function that is sent to a browser as text cannot import them. */
export interface PageFunctions {
  readonly draft: typeof draftOperation;
  readonly highlight: typeof highlightJson;
  readonly showSchema: typeof showDocumentation;
}

/** Brings the page to life: runs operations, shows their results and the schema. It runs in the page. */
export function runConsole({ draft, highlight, showSchema }: PageFunctions, introspection: string): void {
  const byId = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
    const element = document.getElementById(id);
    if (element instanceof kind) {
      return element;
    }
    throw new TypeError(`The page has no ${id}`);
  };
  const query = byId('query', HTMLTextAreaElement);
  const variables = byId('variables', HTMLTextAreaElement);
  const headers = byId('headers', HTMLTextAreaElement);
  const status = byId('status', HTMLElement);
  const result = byId('result', HTMLElement);
  const documentation = byId('documentation', HTMLElement);

  const ask = (body: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(location.pathname, {
      method: 'POST',
      credentials: 'omit',
      headers: { ...more, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  const givenHeaders = (): Record<string, string> =>
    Object.fromEntries(
      headers.value
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => {
          const [name = '', ...value] = line.split(':');
          return [name.trim(), value.join(':').trim()];
        }),
    );

  const say = (text: string, tone: 'good' | 'bad' | 'busy'): void => {
    status.textContent = text;
    status.dataset.tone = tone;
  };

  const givenVariables = (): unknown => {
    try {
      return variables.value.trim() === '' ? {} : JSON.parse(variables.value);
    } catch {
      throw new TypeError('The variables must be a JSON object');
    }
  };

  const run = async (): Promise<void> => {
    say('Running …', 'busy');
    const started = performance.now();
    try {
      const answer = await ask({ query: query.value, variables: givenVariables() }, givenHeaders());
      const text = await answer.text();
      const size = new Intl.NumberFormat('en').format(text.length);
      const ms = Math.round(performance.now() - started);
      say(`${answer.status} ${answer.statusText} · ${ms} ms · ${size} characters`, answer.ok ? 'good' : 'bad');
      highlight(result, JSON.stringify(JSON.parse(text), null, 2));
    } catch (error) {
      say('No result', 'bad');
      result.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  byId('form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void run();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void run();
    }
  });

  const load = async (): Promise<void> => {
    const { data } = (await (await ask({ query: introspection })).json()) as { data: { __schema: SchemaDescription } };
    showSchema(documentation, data.__schema, (operation, field) => {
      const begun = draft(operation, field, data.__schema.types);
      query.value = begun.query;
      variables.value = begun.variables;
      (begun.variables === '' ? query : variables).focus();
    });
  };
  load().catch(() => {
    documentation.textContent = 'The schema cannot be read; load the page again';
  });
}
