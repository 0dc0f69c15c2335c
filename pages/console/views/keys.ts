import { html, nothing, type TemplateResult } from 'lit';

import type { SecretKey } from '../../../schema/account/api-key.ts';
import type { AppGrant } from '../../../schema/account/app-grant.ts';
import { checkField, choiceField, type Fields, textField } from '../browser/form.ts';
import { showOnce } from '../records/form-dialog.ts';
import { ago, moment } from '../browser/format.ts';
import { type Named, nameOf, userNames } from '../records/known-records.ts';
import { parameter } from '../browser/page-data.ts';
import { type ByKey, change, query, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage, type Section } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';

const FIELDS = 'key name created last_used revoked';
type Key = Shown<SecretKey, typeof FIELDS>;

const GRANT_FIELDS = 'key user_key app_name scopes';
type Grant = Shown<AppGrant, typeof GRANT_FIELDS>;

interface OptionalName {
  readonly name: string | null;
}
interface Issued {
  readonly secret: string;
}
type Rename = ByKey & { readonly input: OptionalName };

const issueApiKey = change<OptionalName, Issued>('issueApiKey(name: String) { secret }');
const updateApiKey = change<Rename>('updateApiKey(key: String!, input: SecretKeyChange!) { key }');
const deleteApiKey = change<ByKey>('deleteApiKey(key: String!) { key }');
const issueForwarderKey = change<OptionalName & { readonly creates_devices: boolean }, Issued>(
  'issueForwarderKey(name: String, creates_devices: Boolean!) { secret }',
);
const updateForwarderKey = change<Rename>('updateForwarderKey(key: String!, input: SecretKeyChange!) { key }');
const deleteForwarderKey = change<ByKey>('deleteForwarderKey(key: String!) { key }');
const issueDeviceKey = change<OptionalName & { readonly device_key: string }, Issued>(
  'issueDeviceKey(device_key: String!, name: String) { secret }',
);
const updateDeviceKey = change<Rename>('updateDeviceKey(key: String!, input: SecretKeyChange!) { key }');
const deleteDeviceKey = change<ByKey>('deleteDeviceKey(key: String!) { key }');
const deleteAppGrant = change<ByKey>('deleteAppGrant(key: String!) { key }');
const readDevices = query<
  { readonly nodes: readonly { readonly key: string; readonly serial: string }[] },
  { readonly first: number }
>('devices(first: Int) { nodes { key serial } }');

/** A kind of key: its texts, and how keys of it are changed. */
interface Kind {
  readonly text: keyof typeof t.keys.kinds;
  readonly list: Section<Key>['list'];
  readonly rename: (variables: Rename) => Promise<unknown>;
  readonly revoke: (variables: ByKey) => Promise<unknown>;
  /** Issues a key and returns its secret. */
  readonly issue: (fields: Fields) => Promise<string>;
  /** Fields of a new key below its name. */
  readonly fields?: TemplateResult;
  readonly controls?: TemplateResult;
}

/** Keys of programs and devices, and the access of apps. */
export class KeysPage extends RecordsPage {
  #devices: readonly Named[] = [];
  #people: readonly Named[] = [];
  #device = parameter('device');
  readonly #apiKeys = new RecordList<Key>(`apiKeys { ${FIELDS} }`);
  readonly #forwarderKeys = new RecordList<Key>(`forwarderKeys { ${FIELDS} creates_devices }`);
  readonly #deviceKeys = new RecordList<Key, { readonly device_key: string }>(
    `deviceKeys(device_key: String!) { ${FIELDS} }`,
  );
  readonly #grants = new RecordList<Grant>(`appGrants { ${GRANT_FIELDS} }`);

  protected async load(): Promise<void> {
    this.#people = await userNames();
    this.#devices = (await readDevices({ first: 1000 })).nodes.map(({ key, serial }) => [key, serial]);
    this.#device ||= this.#devices[0]?.[0] ?? '';
    if (this.#device) await this.#deviceKeys.read({ device_key: this.#device });
    await this.#forwarderKeys.read({});
    await this.#grants.read({});
    await this.#apiKeys.read({});
  }

  protected content(): TemplateResult {
    return html`${this.#kinds().map((kind) => this.#keys(kind))} ${this.#appAccess()}`;
  }

  #kinds(): readonly Kind[] {
    return [
      {
        text: 'api',
        list: this.#apiKeys,
        rename: updateApiKey,
        revoke: deleteApiKey,
        issue: async (fields) => (await issueApiKey(named(fields))).secret,
      },
      {
        text: 'forwarder',
        list: this.#forwarderKeys,
        rename: updateForwarderKey,
        revoke: deleteForwarderKey,
        issue: async (fields) => {
          const input = { ...named(fields), creates_devices: fields.creates === 'on' };
          return (await issueForwarderKey(input)).secret;
        },
        fields: checkField({ name: 'creates', label: t.keys.creates }, false),
      },
      {
        text: 'device',
        list: this.#deviceKeys,
        rename: updateDeviceKey,
        revoke: deleteDeviceKey,
        issue: async (fields) => (await issueDeviceKey({ ...named(fields), device_key: this.#device })).secret,
        controls: this.#deviceChoice(),
      },
    ];
  }

  #keys(kind: Kind): TemplateResult {
    const { name, created, used, never, unnamed, revoked, issue, noDevice } = t.keys;
    const texts = t.keys.kinds[kind.text];
    const isReady = kind.text !== 'device' || this.#device !== '';
    return this.section<Key>({
      ...texts,
      empty: isReady ? texts.empty : noDevice,
      ...(isReady && { add: { label: issue, run: () => this.#issue(kind) } }),
      ...(kind.controls && { controls: kind.controls }),
      list: kind.list,
      nameOf: (key) => key.name ?? unnamed,
      columns: [
        {
          title: name,
          cell: (key) =>
            html`<strong>${key.name ?? unnamed}</strong> ${key.revoked ? html`<span class="badge">${revoked}</span>` : nothing}`,
        },
        { title: created, cell: (key) => moment(key.created) },
        { title: used, cell: ({ last_used }) => (last_used ? ago(last_used) : never) },
      ],
      actions: (key) => (key.revoked ? [] : this.#actions(kind, key)),
    });
  }

  #actions({ rename, revoke }: Kind, { key, name }: Key): readonly Action[] {
    const save = (fields: Fields) => rename({ key, input: named(fields) });
    const form = { title: t.keys.rename, submit: t.save, fields: nameField(name), save };
    return [
      { label: t.keys.rename, run: () => this.edit(form) },
      { label: t.keys.revoke, isDangerous: true, run: () => this.#revoke(t.keys.revokeText, () => revoke({ key })) },
    ];
  }

  #issue({ text, issue, fields }: Kind): void {
    const { title } = t.keys.kinds[text];
    this.edit({
      title: `${t.keys.issue}: ${title}`,
      submit: t.keys.issue,
      fields: html`${nameField(null)}${fields}`,
      save: async (values) => showOnce(title, t.keys.secretText, await issue(values)),
    });
  }

  #revoke(text: string, work: () => Promise<unknown>): Promise<void> {
    return this.actIfConfirmed({ title: t.keys.revoke, text, action: t.keys.revoke }, work);
  }

  #deviceChoice(): TemplateResult {
    const choose = (event: Event): void => {
      this.#device = (event.target as HTMLSelectElement).value;
      void this.attempt(() => this.#deviceKeys.read({ device_key: this.#device }));
    };
    if (this.#devices.length === 0) return html``;
    return html`<div @change=${choose}>${choiceField({ name: 'device', label: t.keys.ofDevice, value: this.#device }, this.#devices)}</div>`;
  }

  #appAccess(): TemplateResult {
    const { title, lead, empty, app, user, scopes, revokeText } = t.keys.grants;
    return this.section<Grant>({
      title,
      lead,
      empty,
      list: this.#grants,
      nameOf: ({ app_name }) => app_name,
      columns: [
        { title: app, cell: ({ app_name }) => html`<strong>${app_name}</strong>` },
        { title: user, cell: ({ user_key }) => nameOf('person', this.#people, user_key) },
        { title: scopes, cell: (grant) => html`<span class="muted">${grant.scopes.join(', ')}</span>` },
      ],
      actions: ({ key }) => [
        { label: t.keys.revoke, isDangerous: true, run: () => this.#revoke(revokeText, () => deleteAppGrant({ key })) },
      ],
    });
  }
}

customElements.define('console-keys', KeysPage);

function nameField(value: string | null): TemplateResult {
  return textField({ name: 'name', label: t.keys.name, value: value ?? '', hint: t.keys.nameHint, maxLength: 255 });
}

function named({ name = '' }: Fields): OptionalName {
  return { name: name || null };
}
