import { html, nothing, type TemplateResult } from 'lit';

import type { Account as FullAccount } from '../../../schema/account/account.ts';
import type {
  PendingRetention as FullPendingRetention,
  Retention as FullRetention,
} from '../../../schema/account/retention.ts';
import type { Tag as FullTag } from '../../../schema/account/tag.ts';
import { checksField, choiceField, type Fields, onSubmit, textField } from '../browser/form.ts';
import { moment } from '../browser/format.ts';
import { type Named, userNames, vehicleNames } from '../records/known-records.ts';
import { type ByKey, change, query, RecordList, type Shown } from '../records/records.ts';
import { RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';
import {
  TRIP_SETTINGS_FIELDS,
  type TripSettings,
  tripSettingsFields,
  tripSettingsOf,
} from '../records/trip-settings.ts';

const ACCOUNT_FIELDS = ['nickname', 'external_id', 'street', 'zipcode', 'city', 'state'] as const;

type Retention = Shown<FullRetention, 'positions_days trips'>;
type PendingRetention = Shown<FullPendingRetention, 'positions_days trips effective'>;
type Account = Shown<FullAccount, (typeof ACCOUNT_FIELDS)[number] | 'retention' | 'trip_settings'>;

const TAG_FIELDS = 'key value color type';
type Tag = Shown<FullTag, typeof TAG_FIELDS>;

const readAccount = query<Account>(
  `account {
  nickname external_id street zipcode city state
  retention { positions_days trips pending { positions_days trips effective } }
  ${TRIP_SETTINGS_FIELDS}
}`,
);
const updateAccount = change<{ readonly input: Fields }>('updateAccount(input: AccountInput!) { key }');
const updateRetention = change<Retention>('updateRetention(positions_days: Int, trips: ExpiredTrips) { key }');
const updateTripSettings = change<{ readonly input: TripSettings }>(
  'updateTripSettings(input: TripSettingsInput!) { key }',
);
const createTag = change<{ readonly input: Omit<Tag, 'key'> }>('createTag(input: TagInput!) { key }');
const updateTag = change<ByKey & { readonly input: Pick<Tag, 'value' | 'color'> }>(
  'updateTag(key: String!, input: TagChange!) { key }',
);
const deleteTag = change<ByKey>('deleteTag(key: String!) { key }');
const applyTag = change<
  ByKey & { readonly input: { readonly action: 'add' | 'remove'; readonly entity_keys: readonly string[] } }
>('applyTag(key: String!, input: TaggedRecordsInput!) { key }');

/** Settings of the account as a whole, and its tags. */
export class SettingsPage extends RecordsPage {
  #account: Account | null = null;
  readonly #tags = new RecordList<Tag>(`tags { ${TAG_FIELDS} }`);

  protected async load(): Promise<void> {
    this.#account = await readAccount({});
    await this.#tags.read({});
  }

  protected content(): TemplateResult {
    return html`${this.#account ? this.#ofAccount(this.#account) : nothing} ${this.#tagList()}`;
  }

  #ofAccount(account: Account): TemplateResult {
    const { business, businessFields, detection, retention } = t.settings;
    const { save } = t;
    const take = (work: (fields: Fields) => Promise<unknown>) =>
      onSubmit((fields) => this.act(() => work(fields), t.saved));
    return html`<section class="card">
        <h2>${business}</h2>
        <form class="columns" @submit=${take((input) => updateAccount({ input }))}>
          ${ACCOUNT_FIELDS.map((name) => html`<div>${textField({ name, label: businessFields[name], value: account[name] ?? '', maxLength: 255 })}</div>`)}
          <div class="choices"><button class="button compact" type="submit">${save}</button></div>
        </form>
      </section>
      <section class="card">
        <h2>${retention}</h2>
        ${this.#retentionForm(account.retention, take)}
      </section>
      <section class="card">
        <h2>${detection}</h2>
        <p class="muted">${t.tripSettings.lead}</p>
        <details>
          <summary>${t.settings.showDetection}</summary>
          <form @submit=${take((fields) => updateTripSettings({ input: tripSettingsOf(fields) }))}>
            ${tripSettingsFields(account.trip_settings)}
            <div class="choices"><button class="button compact" type="submit">${save}</button></div>
          </form>
        </details>
      </section>`;
  }

  #retentionForm(
    retention: Account['retention'],
    take: (work: (fields: Fields) => Promise<unknown>) => (event: SubmitEvent) => Promise<void>,
  ): TemplateResult {
    const { retentionLead, days, daysHint, expired, expiredChoices } = t.settings;
    const save = (fields: Fields): Promise<unknown> =>
      updateRetention({
        positions_days: fields.days ? Number(fields.days) : null,
        trips: fields.expired as Retention['trips'],
      });
    const shown = retention?.pending ?? retention;
    return html`<p class="muted">${retentionLead}</p>
      ${retention?.pending ? this.#pendingNotice(retention, retention.pending) : nothing}
      <form @submit=${take(save)}>
        ${textField({ name: 'days', label: days, type: 'number', value: String(shown?.positions_days ?? ''), hint: daysHint })}
        ${choiceField({ name: 'expired', label: expired, value: shown?.trips ?? 'keep_facts' }, Object.entries(expiredChoices))}
        <div class="choices"><button class="button compact" type="submit">${t.save}</button></div>
      </form>`;
  }

  #pendingNotice({ positions_days, trips }: Retention, { effective, ...then }: PendingRetention): TemplateResult {
    const { period, expired, expiredChoices, pending, keep } = t.settings;
    const words = (rule: Retention): string =>
      [
        period(rule.positions_days),
        ...(trips === then.trips ? [] : [`${expired}: ${expiredChoices[rule.trips]}`]),
      ].join('; ');
    const now = words({ positions_days, trips });
    return html`<div class="warning">
      <p>${pending(now, moment(effective), words(then))}</p>
      <button class="button quiet compact" type="button"
        @click=${() => this.act(() => updateRetention({ positions_days, trips }), t.saved)}>${keep(now)}</button>
    </div>`;
  }

  #tagList(): TemplateResult {
    const { tags, tagsLead, addTag, tag, tagOf, kinds, apply, takeOff, removeTag, removeTagText, noTags } = t.settings;
    return this.section<Tag>({
      title: tags,
      lead: tagsLead,
      add: { label: addTag, run: () => this.#addTag() },
      list: this.#tags,
      nameOf: ({ value }) => value,
      empty: noTags,
      columns: [
        {
          title: tag,
          cell: ({ value, color }) => html`<span class="swatch">${swatch(color)}<strong>${value}</strong></span>`,
        },
        { title: tagOf, cell: ({ type }) => kinds[type] },
      ],
      actions: (row) => [
        { label: t.records.edit, run: () => this.#changeTag(row) },
        ...(row.type === 'Trip'
          ? []
          : [
              { label: apply, run: () => this.#apply(row, 'add', apply) },
              { label: takeOff, run: () => this.#apply(row, 'remove', takeOff) },
            ]),
        this.removal(removeTag, row.value, removeTagText, () => deleteTag({ key: row.key })),
      ],
    });
  }

  #addTag(): void {
    const { addTag, tagOf, kinds } = t.settings;
    this.edit({
      title: addTag,
      submit: addTag,
      fields: html`${tagFields('', '#0b7a63')} ${choiceField({ name: 'type', label: tagOf }, Object.entries(kinds))}`,
      save: ({ value = '', color = '', type }) => createTag({ input: { value, color, type: type as Tag['type'] } }),
    });
  }

  #changeTag({ key, value, color }: Tag): void {
    const save = (fields: Fields) =>
      updateTag({ key, input: { value: fields.value ?? '', color: fields.color ?? '' } });
    this.edit({ title: value, submit: t.save, fields: tagFields(value, color ?? '#0b7a63'), save });
  }

  async #apply({ key, value, type }: Tag, action: 'add' | 'remove', title: string): Promise<void> {
    let names: readonly Named[] = [];
    await this.attempt(async () => {
      names = await (type === 'Car' ? vehicleNames() : userNames());
    });
    this.edit({
      title: `${title}: ${value}`,
      submit: title,
      fields: html`${checksField({ name: 'records', label: t.settings.kinds[type] }, names, [])}`,
      save: (_fields, data) => applyTag({ key, input: { action, entity_keys: data.getAll('records').map(String) } }),
    });
  }
}

customElements.define('console-settings', SettingsPage);

function tagFields(value: string, color: string): TemplateResult {
  return html`
    ${textField({ name: 'value', label: t.settings.tag, value, isRequired: true, maxLength: 255 })}
    ${textField({ name: 'color', label: t.settings.color, type: 'color', value: color })}`;
}

function swatch(color: string | null): TemplateResult {
  return html`<svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill=${color ?? 'none'}></circle></svg>`;
}
