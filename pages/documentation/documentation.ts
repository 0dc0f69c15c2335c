import { setImmediate } from 'node:timers/promises';

import type { DocumentMatch, SiteDocuments } from '../../content/site/reading/site-documents.ts';
import { once } from '../../schema/once.ts';

import type { ApiDescription } from './api-reference.ts';
import { type DocumentEntry, readDocuments } from './documents.ts';
import { type ExampleSettings, withAddresses } from './installation-addresses.ts';
import type { RenderedDocument } from './render-document.ts';

/** The documents of the program, read and rendered when they are first needed, and then kept. */
export class Documentation implements SiteDocuments {
  readonly settings: ExampleSettings;
  readonly #describeApi: () => Promise<ApiDescription>;
  readonly #rendered = new Map<string, Promise<RenderedDocument>>();
  readonly #entries = once(() => readDocuments(this.settings));
  readonly #index = once(() => this.#makeIndex());

  /** @param describeApi makes the OpenAPI document of the account API */
  constructor(settings: ExampleSettings, describeApi: () => Promise<ApiDescription>) {
    this.settings = settings;
    this.#describeApi = describeApi;
  }

  /** The pages in their order. */
  entries(): Promise<readonly DocumentEntry[]> {
    return this.#entries();
  }

  /** Renders a document, once; null for the page of the component, which is written elsewhere. */
  async rendered({ name, source }: DocumentEntry): Promise<RenderedDocument | null> {
    if (source === null && name !== 'api') return null;
    let rendered = this.#rendered.get(name);
    if (rendered === undefined) {
      rendered = source === null ? this.#apiReference() : this.#document(source);
      this.#rendered.set(name, rendered);
    }
    return rendered;
  }

  async paths(): Promise<readonly string[]> {
    return ['', ...(await this.#entries()).map(({ name }) => `/${name}`)];
  }

  async search(words: string): Promise<readonly DocumentMatch[]> {
    return (await this.#index()).find(words);
  }

  async #document(source: string): Promise<RenderedDocument> {
    const [{ renderDocument }, entries] = await Promise.all([import('./render-document.ts'), this.#entries()]);
    return renderDocument(source, (name) => entries.some((entry) => entry.name === name));
  }

  async #apiReference(): Promise<RenderedDocument> {
    const { apiReference } = await import('./api-reference.ts');
    return apiReference(await this.#describeApi(), withAddresses('curl --cacert data/tls/ca.pem', this.settings));
  }

  async #makeIndex() {
    const { DocumentIndex } = await import('./document-index.ts');
    const index = new DocumentIndex();
    for (const entry of await this.#entries()) {
      const rendered = await this.rendered(entry);
      if (rendered) index.add(entry.name, rendered.sections);
      // Requests are answered between documents.
      await setImmediate();
    }
    return index;
  }
}
