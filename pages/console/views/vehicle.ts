import { html, type TemplateResult } from 'lit';

import { PageElement } from '../browser/page-element.ts';

/** To be drawn. */
export class VehiclePage extends PageElement {
  protected async load(): Promise<void> {}

  protected content(): TemplateResult {
    return html``;
  }
}

customElements.define('console-vehicle', VehiclePage);
