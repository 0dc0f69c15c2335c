import { html, LitElement, nothing, type TemplateResult } from 'lit';

import { REQUEST_EVENT, shownRequests } from './ask.ts';
import { copyButton } from './copy-button.ts';
import { pageData } from './page-data.ts';
import { type RestRequest, restRequest } from './rest-request.ts';
import { t } from './texts.ts';

/** Names of variables whose values are never shown. */
const SECRET = /secret|password|token|code$/i;

/** The latest request of the page, as commands that do the same with an API key. */
class RequestPanel extends LitElement {
  #isOpen = false;
  /** Result of {@link restRequest}; undefined until it is known. */
  #rest: RestRequest | null | undefined;

  readonly #redraw = async (): Promise<void> => {
    this.#rest = undefined;
    this.requestUpdate();
    const { latest } = shownRequests;
    if (!this.#isOpen || !latest) return;
    const rest = await restRequest(latest).catch(() => undefined);
    if (latest !== shownRequests.latest) return;
    this.#rest = rest;
    this.requestUpdate();
  };

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    shownRequests.addEventListener(REQUEST_EVENT, this.#redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    shownRequests.removeEventListener(REQUEST_EVENT, this.#redraw);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!shownRequests.latest) return nothing;
    const { open, lead, noRest } = t.request;
    const { query, variables } = shownRequests.latest;
    return html`<details class="request" @toggle=${this.#toggle}>
      <summary>${open}</summary>
      <p class="muted">${lead}</p>
      ${codeBlock('GraphQL', graphqlCommand(query, variables))}
      ${this.#rest ? codeBlock('REST', restCommand(this.#rest)) : nothing}
      ${this.#rest === null ? html`<p class="muted">${noRest}</p>` : nothing}
    </details>`;
  }

  #toggle(event: Event): void {
    this.#isOpen = (event.currentTarget as HTMLDetailsElement).open;
    void this.#redraw();
  }
}

customElements.define('request-panel', RequestPanel);

function codeBlock(name: string, code: string): TemplateResult {
  return html`<div class="code-block">
    <div class="code-head"><strong>${name}</strong>${copyButton(code)}</div>
    <pre tabindex="0" role="group" aria-label=${name}><code>${code}</code></pre>
  </div>`;
}

function graphqlCommand(query: string, variables: object): string {
  const body = JSON.stringify({ query: query.replace(/\s+/g, ' ').trim(), variables }, omitSecrets);
  return command(pageData().graphqlUrl, 'POST', body);
}

function restCommand({ method, path, body }: RestRequest): string {
  return command(`${pageData().baseUrl}${path}`, method, body && JSON.stringify(body, omitSecrets));
}

function command(address: string, method: string, body: string | null): string {
  const start = `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)} \\\n  -H "Service-Api-Key: $API_KEY"`;
  return body === null ? start : `${start} \\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(body)}`;
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function omitSecrets(name: string, value: unknown): unknown {
  return SECRET.test(name) && typeof value === 'string' ? '…' : value;
}
