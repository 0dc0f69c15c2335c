import { html, type TemplateResult } from 'lit';

/** Renders a patch of color as SVG, since a Content-Security-Policy may block inline styles. */
export function swatch(color: string): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 12 12" width="12" height="12" preserveAspectRatio="none" aria-hidden="true"><rect width="12" height="12" rx="3" fill=${color} /></svg>`;
}
