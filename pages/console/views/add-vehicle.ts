import { html, nothing, type TemplateResult } from 'lit';

import { connect } from '../../../client/live/connect.ts';
import { sessionService } from '../browser/ask.ts';
import { copyButton } from '../browser/copy-button.ts';
import { onSubmit, textField } from '../browser/form.ts';
import { timeOfDay } from '../browser/format.ts';
import { pageAddress, pageData } from '../browser/page-data.ts';
import '../records/import-file.ts';
import { PageElement } from '../browser/page-element.ts';
import { type ByKey, change } from '../records/records.ts';
import { type AppLinks, ownTracksLinks, traccarClientLinks } from '../pairing/phone-links.ts';
import { sendOwnPosition } from '../pairing/send-own-position.ts';
import { t } from '../browser/texts.ts';

interface Paired {
  readonly vehicle_key: string;
  readonly device_key: string;
  readonly secret: string;
  readonly expires: string;
}

type Source = keyof typeof t.add.sources;

/** Ways in which a telephone sends. */
const APPS = ['traccarClient', 'ownTracks', 'browser'] as const;
type SendingApp = (typeof APPS)[number];

const pairVehicle = change<{ readonly input: { readonly nickname: string; readonly serial: string | null } }, Paired>(
  'pairVehicle(input: PairingInput!) { vehicle_key device_key secret expires }',
);
const issueDeviceKey = change<Pick<Paired, 'device_key'>, Pick<Paired, 'secret'>>(
  'issueDeviceKey(device_key: String!) { secret }',
);
const createVehicle = change<{ readonly input: { readonly nickname: string } }, ByKey>(
  'createVehicle(input: VehicleInput!) { key }',
);
const issueForwarderKey = change<object, { readonly secret: string }>('issueForwarderKey { secret }');

/** A new vehicle, and how it begins to send. */
interface Added {
  readonly source: Source;
  readonly name: string;
  readonly vehicleKey: string;
  readonly paired: Paired | null;
  /** Secret of the key that is shown; null for a file. */
  readonly secret: string | null;
  /** When the key ends unless it is used; null if it does not. */
  readonly expires: string | null;
}

/** A form that adds a vehicle, then the settings of what sends its positions, and a dot that turns green. */
export class AddVehiclePage extends PageElement {
  #source: Source = 'phone';
  #added: Added | null = null;
  #isReceived = false;
  #isEnded = false;
  #app: SendingApp = 'traccarClient';
  #qrCode: ((text: string, label: string) => TemplateResult) | null = null;
  #sentCount = 0;
  #sending: AbortController | null = null;
  #isUnknown = false;
  readonly #closed = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected async load(): Promise<void> {}

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#closed.abort();
    this.#sending?.abort();
  }

  protected content(): TemplateResult {
    if (pageData().role !== 'administrator') return html`<p class="notice">${t.add.notAllowed}</p>`;
    return this.#added ? this.#connection(this.#added) : this.#form();
  }

  #form(): TemplateResult {
    const { name, nameHint, source, sources, serial, serialHint, submit } = t.add;
    const needsSerial = this.#source === 'tracker' || this.#source === 'server';
    return html`<section class="card narrow">
      <form @submit=${onSubmit((fields) => this.attempt(() => this.#add(fields)))}>
        ${textField({ name: 'nickname', label: name, hint: nameHint, isRequired: true, maxLength: 255 })}
        <fieldset class="sources">
          <legend>${source}</legend>
          ${(Object.keys(sources) as Source[]).map((key) => {
            const [title, text] = sources[key];
            return html`<label class="source">
              <input type="radio" name="source" value=${key} .checked=${key === this.#source} @change=${() => this.#setSource(key)} />
              <span><strong>${title}</strong> <small>${text}</small></span>
            </label>`;
          })}
        </fieldset>
        ${needsSerial ? textField({ name: 'serial', label: serial, hint: serialHint, isRequired: true, maxLength: 255 }) : nothing}
        <div class="choices"><button class="button" type="submit">${submit}</button></div>
      </form>
    </section>`;
  }

  #setSource(source: Source): void {
    this.#source = source;
    this.requestUpdate();
  }

  async #add({ nickname = '', serial = '' }: Readonly<Record<string, string>>): Promise<void> {
    const source = this.#source;
    this.#added = source === 'file' ? await this.#ofFile(nickname) : await this.#ofDevice(source, nickname, serial);
    this.setHeading(nickname);
    if (source === 'phone') this.#qrCode = (await import('../pairing/qr-code.ts')).qrCode;
    if (source === 'file') return;
    this.#endLater();
    const followed = { vehicleKeys: [this.#added.vehicleKey], signal: this.#closed.signal };
    void this.attempt(() => connect(sessionService, { moved: () => this.#receive() }, followed));
  }

  async #ofFile(name: string): Promise<Added> {
    const { key } = await createVehicle({ input: { nickname: name } });
    return { source: 'file', name, vehicleKey: key, paired: null, secret: null, expires: null };
  }

  async #ofDevice(source: Source, name: string, serial: string): Promise<Added> {
    const forwarding = source === 'server' ? (await issueForwarderKey({})).secret : null;
    const paired = await pairVehicle({ input: { nickname: name, serial: serial === '' ? null : serial } });
    const secret = forwarding ?? paired.secret;
    const expires = forwarding === null ? paired.expires : null;
    return { source, name, vehicleKey: paired.vehicle_key, paired, secret, expires };
  }

  #connection(added: Added): TemplateResult {
    const { openVehicle, addAnother } = t.add;
    return html`<section class="card narrow">
      ${added.source === 'file' ? nothing : this.#state(added)}
      ${this.#isReceived || this.#isEnded ? nothing : this.#settings(added)}
      <div class="choices">
        <a class="button ${this.#isReceived ? '' : 'quiet'}" href=${pageAddress('/vehicle', { key: added.vehicleKey })}>${openVehicle}</a>
        <a class="button quiet" href=${pageAddress('/add-vehicle')}>${addAnother}</a>
      </div>
    </section>`;
  }

  #state({ expires }: Added): TemplateResult {
    const { waiting, received, ended, ends, renew } = t.add;
    if (this.#isEnded && !this.#isReceived) {
      return html`<p class="connection" role="status"><span class="dot silent"></span>${ended}</p>
        <button class="button compact" type="button" @click=${() => this.attempt(() => this.#renew())}>${renew}</button>`;
    }
    return html`<p class="connection" role="status">
        <span class="dot ${this.#isReceived ? 'moving' : 'waiting'}"></span><strong>${this.#isReceived ? received : waiting}</strong>
      </p>
      ${expires && !this.#isReceived ? html`<p class="muted">${ends(timeOfDay(expires))}</p>` : nothing}`;
  }

  #settings({ source, name, vehicleKey, secret }: Added): TemplateResult | typeof nothing {
    const { baseUrl } = pageData();
    if (source === 'phone' && secret !== null) return this.#phone(name, secret);
    if (source === 'file') return html`<import-file vehicle-key=${vehicleKey}></import-file>`;
    const [lead, code] =
      source === 'server'
        ? [t.add.serverLead, traccarSettings(`${baseUrl}/ingest`, secret ?? '')]
        : [t.add.trackerLead, `POST ${baseUrl}/ingest\nAuthorization: Bearer ${secret}`];
    return html`<p>${lead}</p>
      <div class="code-block">
        <div class="code-head"><span></span>${copyButton(code)}</div>
        <pre tabindex="0" role="group" aria-label=${lead}><code>${code}</code></pre>
      </div>`;
  }

  #phone(name: string, secret: string): TemplateResult {
    const { baseUrl } = pageData();
    return html`<div class="choice-row" role="group" aria-label=${t.add.source}>
        ${APPS.map(
          (app) =>
            html`<button type="button" aria-pressed=${String(app === this.#app)} @click=${() => this.#setApp(app)}>${t.add[app]}</button>`,
        )}
      </div>
      ${
        this.#app === 'browser'
          ? this.#ownPosition(secret)
          : this.#app === 'ownTracks'
            ? this.#scan(t.add.ownTracks, t.add.scanOwnTracks, ownTracksLinks(baseUrl, secret, name))
            : this.#scan(t.add.traccarClient, t.add.scan, traccarClientLinks(baseUrl, secret))
      }`;
  }

  #setApp(app: SendingApp): void {
    this.#app = app;
    this.requestUpdate();
  }

  #scan(app: string, lead: string, { code, link }: AppLinks): TemplateResult {
    return html`<p>${lead}</p>
      ${this.#qrCode?.(code, t.add.qr(app))}
      <p class="muted">${t.add.onThisPhone} <a href=${link}>${t.add.openApp(app)}</a></p>`;
  }

  #ownPosition(secret: string): TemplateResult {
    const { browserLead, startBrowser, stopBrowser, sent, noPosition } = t.add;
    return html`<p>${browserLead}</p>
      ${this.#isUnknown ? html`<p class="fault" role="alert">${noPosition}</p>` : nothing}
      <div class="choices">
        <button class="button" type="button" @click=${() => this.#toggleSending(secret)}>${this.#sending ? stopBrowser : startBrowser}</button>
        ${this.#sentCount > 0 ? html`<span class="muted" role="status">${sent(this.#sentCount)}</span>` : nothing}
      </div>`;
  }

  #toggleSending(secret: string): void {
    if (this.#sending) {
      this.#sending.abort();
      this.#sending = null;
    } else {
      this.#isUnknown = false;
      this.#sending = new AbortController();
      const note = (change: () => void) => (): void => {
        change();
        this.requestUpdate();
      };
      const sent = note(() => {
        this.#sentCount++;
      });
      const failed = note(() => {
        this.#isUnknown = true;
      });
      sendOwnPosition(secret, { sent, failed }, this.#sending.signal);
    }
    this.requestUpdate();
  }

  #endLater(): void {
    const { expires = null } = this.#added ?? {};
    this.#isEnded = false;
    clearTimeout(this.#timer);
    if (expires === null) return;
    this.#timer = setTimeout(() => {
      this.#isEnded = true;
      this.requestUpdate();
    }, Date.parse(expires) - Date.now());
  }

  #receive(): void {
    this.#isReceived = true;
    clearTimeout(this.#timer);
    this.requestUpdate();
  }

  async #renew(): Promise<void> {
    if (!this.#added?.paired) return;
    const { secret } = await issueDeviceKey({ device_key: this.#added.paired.device_key });
    this.#added = { ...this.#added, secret, expires: null };
    this.#endLater();
  }
}

customElements.define('console-add-vehicle', AddVehiclePage);

function traccarSettings(url: string, secret: string): string {
  const entry = (key: string, value: string): string => `<entry key='${key}'>${value}</entry>`;
  const header = `Authorization: Bearer ${secret}`;
  return [
    entry('forward.type', 'json'),
    entry('forward.url', url),
    entry('forward.header', header),
    entry('event.forward.url', url),
    entry('event.forward.header', header),
  ].join('\n');
}
