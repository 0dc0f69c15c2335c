import { html, nothing, type TemplateResult } from 'lit';

import type { Share as FullShare, ShareEndInput, ShareInput } from '../../../schema/shares/share.ts';
import { checkField, choiceField, linesField, textField } from '../browser/form.ts';
import { showOnce } from '../records/form-dialog.ts';
import { ago, moment } from '../browser/format.ts';
import { groupNames, type Named, nameOf, vehicleNames } from '../records/known-records.ts';
import { pageAddress, parameter } from '../browser/page-data.ts';
import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';

const SHARE_FIELDS = 'key vehicle_key group_key trip_key expires ends_with_trip opened_count last_opened';
type Share = Shown<FullShare, typeof SHARE_FIELDS | 'embeddings'>;

const createShare = change<{ readonly input: ShareInput }, { readonly url: string; readonly embed_url: string | null }>(
  'createShare(input: ShareInput!) { url embed_url }',
);
const updateShare = change<ByKey & { readonly input: ShareEndInput }>(
  'updateShare(key: String!, input: ShareEndInput!) { key }',
);
const deleteShare = change<ByKey>('deleteShare(key: String!) { key }');

const HOUR_MS = 3_600_000;
/** Choices of a duration, in hours. */
const DURATIONS = [1, 8, 24, 168, 720] as const;

/** Links that show a vehicle, a group or a trip to people without an account. */
export class SharingPage extends RecordsPage {
  #vehicles: readonly Named[] = [];
  #groups: readonly Named[] = [];
  readonly #shares = new RecordList<Share>(`shares { ${SHARE_FIELDS} embeddings { origin opened_count } }`);

  protected async load(): Promise<void> {
    [this.#vehicles, this.#groups] = await Promise.all([vehicleNames(), groupNames()]);
    await this.#shares.read({});
    if (parameter('trip') && !this.isLoaded) this.#share();
  }

  protected content(): TemplateResult {
    const { title, lead, add, what, ends, opened, empty } = t.sharing;
    return this.section<Share>({
      title,
      lead,
      add: { label: add, run: () => this.#share() },
      list: this.#shares,
      empty,
      nameOf: (share) => this.#nameOf(share),
      columns: [
        { title: what, cell: (share) => this.#subject(share) },
        { title: ends, cell: endOf },
        {
          title: opened,
          cell: ({ opened_count, last_opened, embeddings }) =>
            html`${t.sharing.openings(opened_count, last_opened && ago(last_opened))}${embeddings.map(
              ({ origin, opened_count: count }) =>
                html`<br /><span class="muted">${new URL(origin).host}: ${t.sharing.openings(count, null)}</span>`,
            )}`,
        },
      ],
      actions: (share) => this.#actions(share),
    });
  }

  #nameOf({ vehicle_key, group_key }: Share): string {
    return group_key ? nameOf('group', this.#groups, group_key) : nameOf('vehicle', this.#vehicles, vehicle_key ?? '');
  }

  #subject(share: Share): TemplateResult {
    const { vehicle_key, group_key, trip_key } = share;
    const page = group_key
      ? pageAddress('/groups')
      : pageAddress(trip_key ? '/trip' : '/vehicle', { key: trip_key ?? vehicle_key ?? '' });
    const kind = group_key ? t.sharing.group : trip_key ? t.sharing.trip : t.sharing.vehicle;
    return html`<a href=${page}><strong>${this.#nameOf(share)}</strong></a> <span class="badge">${kind}</span>`;
  }

  #actions(share: Share): readonly Action[] {
    const { changeEnd, revoke, revokeText } = t.sharing;
    const isOver = Date.parse(share.expires) <= Date.now();
    return [
      ...(isOver ? [] : [{ label: changeEnd, run: () => this.#changeEnd(share) }]),
      this.removal(revoke, '', revokeText, () => deleteShare({ key: share.key })),
    ];
  }

  #share(): void {
    const { add, link, linkText, what, duration, durations, untilTrip } = t.sharing;
    const { embed, origins, originsHint, live, code, codeText } = t.sharing;
    const trip_key = parameter('trip');
    this.edit({
      title: add,
      submit: add,
      fields: html`
        ${trip_key ? nothing : choiceField({ name: 'what', label: what }, this.#choices())}
        ${choiceField(
          { name: 'hours', label: duration, value: '24' },
          DURATIONS.map((hours) => [String(hours), durations[hours]]),
        )}
        ${trip_key ? checkField({ name: 'trip', label: untilTrip }, false) : nothing}
        <details class="more">
          <summary>${embed}</summary>
          ${linesField({ name: 'origins', label: origins, hint: originsHint })}
          ${trip_key ? nothing : checkField({ name: 'live', label: live }, false)}
        </details>`,
      save: async ({ what = '', hours, trip, origins = '', live }) => {
        const [kind, key = ''] = what.split(' ');
        const { url, embed_url } = await createShare({
          input: {
            ...(trip_key ? { trip_key } : kind === 'group' ? { group_key: key } : { vehicle_key: key }),
            expires: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(),
            ends_with_trip: trip === 'on',
            embed_origins: Array.from(origins.matchAll(/\S+/g), ([name]) =>
              name.includes('://') ? name : `https://${name}`,
            ),
            embeds_live: live === 'on',
          },
        });
        const frame =
          embed_url && `<iframe src="${embed_url}" title="${embed}" width="100%" height="420" loading="lazy"></iframe>`;
        await showOnce(link, linkText, url, true, frame ? [code, codeText, frame] : undefined);
      },
    });
  }

  /** Vehicles, then groups, as choices of a share. */
  #choices(): Named[] {
    return [
      ...this.#vehicles.map(([key, name]): Named => [`vehicle ${key}`, name]),
      ...this.#groups.map(([key, name]): Named => [`group ${key}`, `${t.sharing.group}: ${name}`]),
    ];
  }

  #changeEnd({ key, trip_key, expires, ends_with_trip }: Share): void {
    const { changeEnd, ends, untilTrip } = t.sharing;
    this.edit({
      title: changeEnd,
      submit: t.save,
      fields: html`
        ${textField({ name: 'expires', label: ends, type: 'datetime-local', value: localTime(expires), isRequired: true })}
        ${trip_key ? checkField({ name: 'trip', label: untilTrip }, ends_with_trip) : nothing}`,
      save: async (fields) => {
        const end = { expires: new Date(fields.expires ?? '').toISOString(), ends_with_trip: fields.trip === 'on' };
        await updateShare({ key, input: end });
      },
    });
  }
}

customElements.define('console-sharing', SharingPage);

function endOf({ expires, ends_with_trip }: Share): TemplateResult {
  if (Date.parse(expires) <= Date.now()) return html`<span class="badge">${t.sharing.over}</span>`;
  return html`<time datetime=${expires}>${moment(expires)}</time>${ends_with_trip ? html`<br /><span class="muted">${t.sharing.orTrip}</span>` : nothing}`;
}

/** A time as an input of the type `datetime-local` has it. */
function localTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
