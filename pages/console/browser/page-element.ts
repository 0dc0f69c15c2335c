import { html, LitElement, nothing, type TemplateResult } from 'lit';

import { RequestError } from '../../../client/service/request-error.ts';
import { faultNotice } from './fault-notice.ts';
import './request-panel.ts';
import { t } from './texts.ts';

/**
 * A page of the console. It is drawn in the document, not in a shadow, so that the styles of `console.css` apply; below the
 * heading, which the server has written.
 */
export abstract class PageElement extends LitElement {
  #fault: RequestError | null = null;
  #loaded = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#begin();
  }

  /** True when {@link load} has succeeded once. */
  protected get isLoaded(): boolean {
    return this.#loaded;
  }

  /** Reads what the page shows first. */
  protected abstract load(): Promise<void>;

  /** Draws the page after {@link load}. */
  protected abstract content(): TemplateResult;

  /** Draws links and buttons beside the heading. */
  protected actions(): TemplateResult | typeof nothing {
    return nothing;
  }

  /** Replaces the heading of the page, and its title. */
  protected setHeading(text: string): void {
    const heading = this.querySelector('h1');
    if (heading) heading.textContent = text;
    document.title = `${text} · Waybridge`;
  }

  /** Runs work that may fail, and shows why it failed. Returns false then. */
  protected async attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.#fault = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#fault = error;
      return false;
    } finally {
      this.requestUpdate();
    }
  }

  async #begin(): Promise<void> {
    this.#loaded = await this.attempt(() => this.load());
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`
      <div class="page-actions">${this.#loaded ? this.actions() : nothing}</div>
      ${this.#fault ? this.#faultNotice(this.#fault) : nothing}
      ${this.#loaded ? this.content() : this.#fault ? nothing : html`<p class="muted" aria-busy="true">${t.loading}</p>`}
      <request-panel></request-panel>
    `;
  }

  #faultNotice(fault: RequestError): TemplateResult {
    const again = html`<button class="button compact quiet" @click=${() => this.#begin()}>${t.tryAgain}</button>`;
    return faultNotice(fault, this.#loaded ? nothing : again);
  }
}
