import { html, LitElement, nothing, type TemplateResult } from 'lit';

import { RequestError } from '../../../client/service/request-error.ts';
import type { TripImport as FullTripImport } from '../../../schema/trips/trip-import.ts';
import { ask, operation, signInAddress } from '../browser/ask.ts';
import { faultNotice } from '../browser/fault-notice.ts';
import { onSubmit } from '../browser/form.ts';
import { pageData } from '../browser/page-data.ts';
import { t } from '../browser/texts.ts';
import { type ByKey, change, type Shown } from './records.ts';

type TripImport = Shown<
  FullTripImport,
  'key status bytes_total bytes_read trip_count created_count point_count faults error ended'
>;

const IMPORT = operation<{ readonly tripImport: TripImport }, ByKey>(`query ConsoleImport($key: String!) {
  tripImport(key: $key) {
    key status bytes_total bytes_read trip_count created_count point_count faults { description count } error ended
  }
}`);

const cancelTripImport = change<ByKey>('cancelTripImport(key: String!) { key }');

/** Time between two looks at an import that is running, in milliseconds. */
const LOOK_MS = 500;

/** A form that sends a file of trips, and shows how its import goes and what came of it. Its event `imported` tells of new trips. */
export class ImportFile extends LitElement {
  static override readonly properties = { vehicleKey: { attribute: 'vehicle-key' } };
  declare vehicleKey: string;
  /** Share of the file that has been sent, 0 to 1; null if none is being sent. */
  #sent: number | null = null;
  #import: TripImport | null = null;
  #fault: RequestError | null = null;
  readonly #closed = new AbortController();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#closed.abort();
  }

  protected override render(): TemplateResult {
    const { file, lead, submit } = t.import;
    return html`<form @submit=${onSubmit((_, data) => this.#send(data))}>
        <label for="import-file">${file}</label>
        <input id="import-file" name="file" type="file" required aria-describedby="import-lead" />
        <p class="hint" id="import-lead">${lead}</p>
        <div class="choices"><button class="button" type="submit">${submit}</button></div>
      </form>
      <div role="status">${this.#progress()}</div>
      ${this.#fault ? faultNotice(this.#fault) : this.#import?.status === 'failed' ? failure(this.#import) : nothing}`;
  }

  #progress(): TemplateResult | typeof nothing {
    const { sending, reading, cancel } = t.import;
    if (this.#sent !== null) {
      return html`<p>${sending}</p><progress aria-label=${sending} .value=${this.#sent}></progress>`;
    }
    const now = this.#import;
    if (!now || now.status === 'failed') return nothing;
    if (now.ended !== null || now.status === 'interrupted') return outcome(now);
    return html`<p>${reading(now.trip_count)}</p>
      <progress aria-label=${reading(now.trip_count)} .value=${now.bytes_read / Math.max(1, now.bytes_total)}></progress>
      <button class="button quiet compact" type="button" @click=${() => this.#attempt(() => cancelTripImport({ key: now.key }))}>${cancel}</button>`;
  }

  async #send(data: FormData): Promise<void> {
    this.#import = null;
    await this.#attempt(async () => {
      this.#sent = 0;
      this.requestUpdate();
      const { key } = await this.#upload(data).finally(() => {
        this.#sent = null;
      });
      for (let shown = false; !this.#closed.signal.aborted; shown = true) {
        this.#import = (await ask(IMPORT, { key }, shown)).tripImport;
        this.requestUpdate();
        if (this.#import.ended !== null || this.#import.status === 'interrupted') break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      if (this.#import?.created_count) this.dispatchEvent(new Event('imported'));
    });
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    this.#fault = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#fault = error;
    } finally {
      this.requestUpdate();
    }
  }

  /** Sends the form. `fetch` does not tell how much of a body has been sent. */
  #upload(data: FormData): Promise<ByKey> {
    const request = new XMLHttpRequest();
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      this.#sent = loaded / total;
      this.requestUpdate();
    });
    this.#closed.signal.addEventListener('abort', () => request.abort());
    return new Promise((resolve, reject) => {
      request.addEventListener('error', () => reject(new RequestError('Not sent', { status: 0 })));
      request.addEventListener('load', () => {
        const answer = request.response as (ByKey & { readonly errors?: string }) | null;
        if (request.status === 202 && answer) return resolve(answer);
        if (request.status === 401) location.assign(signInAddress());
        const { status } = request;
        reject(new RequestError(answer?.errors ?? '', { status, code: answer?.errors && String(status) }));
      });
      request.open('POST', `${pageData().root}/vehicle/${this.vehicleKey}/imports`);
      request.send(data);
    });
  }
}

customElements.define('import-file', ImportFile);

function failure({ error }: TripImport): TemplateResult {
  const { unrecognized, ends } = t.import;
  if (error?.includes('reveals its format')) return faultNotice(unrecognized);
  return faultNotice(ends.failed, html`<p class="muted" lang="en">${error}</p>`);
}

function outcome({ status, trip_count, created_count, point_count, faults }: TripImport): TemplateResult {
  const { ends, summary, known } = t.import;
  if (status !== 'succeeded') return html`<p>${ends[status as keyof typeof ends]}</p>`;
  return html`<p><strong>${summary(created_count, point_count)}</strong></p>
    ${created_count < trip_count ? html`<p class="muted">${known(trip_count - created_count)}</p>` : nothing}
    ${
      faults.length > 0
        ? html`<ul class="rejections">${faults.map(
            ({ description, count }) => html`<li lang="en"><span class="badge">${count}</span> ${description}</li>`,
          )}</ul>`
        : nothing
    }`;
}
