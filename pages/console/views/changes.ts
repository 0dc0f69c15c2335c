import { html, nothing, type TemplateResult } from 'lit';

import type { DeletedRecord as FullDeletedRecord } from '../../../schema/account/deleted-record.ts';
import type { SecurityEvent as FullSecurityEvent } from '../../../schema/account/security-event.ts';
import { RequestError } from '../../../client/service/request-error.ts';
import { ask, operation } from '../browser/ask.ts';
import { choiceField } from '../browser/form.ts';
import { ago, moment } from '../browser/format.ts';
import { type Named, nameOf, userNames } from '../records/known-records.ts';
import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';
import { type Person, personName } from '../browser/trip-fields.ts';

const SECURITY_FIELDS = 'key kind time count actor user_key subject network browser';
type SecurityEvent = Shown<FullSecurityEvent, typeof SECURITY_FIELDS>;

type Kind = keyof typeof t.changes.kinds;

interface Change {
  readonly kind: Kind;
  readonly key: string;
  readonly happened: keyof typeof t.changes.happenings;
  readonly timestamp: string;
  readonly device: { readonly serial: string } | null;
  readonly group: { readonly name: string } | null;
  readonly place: { readonly name: string } | null;
  readonly privacy_zone: { readonly name: string | null } | null;
  readonly tag: { readonly value: string } | null;
  readonly user: Person | null;
  readonly vehicle: { readonly nickname: string | null } | null;
}

interface ChangePage {
  readonly nodes: readonly Change[];
  readonly page_info: { readonly end_cursor: string | null };
}

const CHANGES = operation<{ readonly changes: ChangePage }, { readonly after: string | null }>(
  `query ConsoleChanges($after: String) {
  changes(after: $after, first: 100) {
    nodes {
      kind key happened timestamp
      device { serial } group { name } place { name } privacy_zone { name } tag { value }
      user { key first_name last_name email } vehicle { nickname }
    }
    page_info { end_cursor }
  }
}`,
);

/** Kinds of records that can be restored, with the mutations that do. */
const RESTORE = {
  vehicle: change<ByKey>('restoreVehicle(key: String!) { key }'),
  device: change<ByKey>('restoreDevice(key: String!) { key }'),
  user: change<ByKey>('restoreUser(key: String!) { key }'),
};

type DeletedKind = keyof typeof RESTORE;

const DELETED_KINDS = Object.keys(RESTORE) as DeletedKind[];

const DELETED_FIELDS = 'key kind name deleted restorable_until';
type DeletedRecord = Shown<FullDeletedRecord, typeof DELETED_FIELDS>;

/** Name under which the browser keeps the cursor of the newest change that the reader has seen. */
const SEEN = 'console-changes-seen';
/** Interval at which further changes are read, in milliseconds. */
const POLL_MS = 3000;
/** Number of changes that are shown. */
const MAX_SHOWN = 500;

/** The security log, and what has changed since the reader looked last. */
export class ChangesPage extends RecordsPage {
  #people: readonly Named[] = [];
  #person = '';
  #changes: readonly Change[] = [];
  #cursor: string | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #log = new RecordList<SecurityEvent, { readonly user_key: string | null }>(
    `securityEvents(user_key: String) { ${SECURITY_FIELDS} }`,
  );

  readonly #deleted = DELETED_KINDS.map(
    () =>
      new RecordList<DeletedRecord, { readonly kind: DeletedKind }>(
        `deletedRecords(kind: RestorableKind!) { ${DELETED_FIELDS} }`,
      ),
  );

  protected async load(): Promise<void> {
    this.#people = await userNames();
    for (const [at, kind] of DELETED_KINDS.entries()) await this.#deleted[at]?.read({ kind });
    await this.#log.read({ user_key: this.#person || null });
    if (!this.isLoaded) void this.attempt(() => this.#follow());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  /** Reads what the reader has not seen, then receives changes for as long as the page is open. */
  async #follow(): Promise<void> {
    const changes = await this.#unseen();
    if (!localStorage.getItem(SEEN)) this.#markSeen(changes);
    const position = { after: changes.page_info.end_cursor };
    const take = ({ nodes, page_info }: ChangePage): void => {
      position.after = page_info.end_cursor;
      this.#cursor = page_info.end_cursor;
      this.#changes = [...[...nodes].reverse(), ...this.#changes].slice(0, MAX_SHOWN);
      this.requestUpdate();
    };
    take(changes);
    this.#timer = setInterval(() => {
      if (document.hidden) return;
      void ask(CHANGES, position, true).then(
        ({ changes: page }) => take(page),
        () => undefined,
      );
    }, POLL_MS);
  }

  /** The changes since the cursor that the browser keeps, or none if it keeps one that is too old or another user's. */
  async #unseen(): Promise<ChangePage> {
    const after = localStorage.getItem(SEEN);
    try {
      return (await ask(CHANGES, { after })).changes;
    } catch (error) {
      if (after === null || !(error instanceof RequestError) || error.isTransient) throw error;
      localStorage.removeItem(SEEN);
      return (await ask(CHANGES, { after: null })).changes;
    }
  }

  #markSeen({ page_info }: Pick<ChangePage, 'page_info'>): void {
    localStorage.setItem(SEEN, page_info.end_cursor ?? '');
  }

  protected content(): TemplateResult {
    return html`${this.#recent()} ${this.#deletedRecords()} ${this.#securityLog()}`;
  }

  #recent(): TemplateResult {
    const { title, lead, what, name, happened, time, kinds, happenings, seen, none } = t.changes;
    const markSeen = (): void => {
      this.#markSeen({ page_info: { end_cursor: this.#cursor } });
      this.#changes = [];
      this.requestUpdate();
    };
    return this.section<Change>({
      title,
      lead,
      ...(this.#changes.length > 0 && { add: { label: seen, run: markSeen } }),
      list: { rows: this.#changes },
      keyOf: ({ kind, key, timestamp, happened: how }) => `${kind} ${key} ${timestamp} ${how}`,
      empty: none,
      columns: [
        { title: what, cell: ({ kind }) => kinds[kind] },
        { title: name, cell: (change) => html`<strong>${nameOfChanged(change) ?? this.#lastName(change)}</strong>` },
        { title: happened, cell: (change) => happenings[change.happened] },
        {
          title: time,
          cell: ({ timestamp }) =>
            html`<time datetime=${timestamp} title=${moment(timestamp)}>${ago(timestamp)}</time>`,
        },
      ],
    });
  }

  /** Name of a deleted record that can be restored. */
  #lastName({ key }: Change): string {
    const found = this.#deleted.flatMap((list) => list.rows).find((record) => record.key === key);
    return found ? nameOfDeleted(found) : '–';
  }

  #deletedRecords(): TemplateResult | typeof nothing {
    const rows = this.#deleted.flatMap((list) => list.rows);
    if (rows.length === 0) return nothing;
    const { deleted, deletedLead, what, name, kinds, until, restore } = t.changes;
    const further = this.#deleted.filter(({ hasMore }) => hasMore);
    const more = async (): Promise<void> => {
      for (const list of further) await list.more();
    };
    return this.section<DeletedRecord>({
      title: deleted,
      lead: deletedLead,
      list: { rows, hasMore: further.length > 0, more },
      nameOf: nameOfDeleted,
      empty: '',
      columns: [
        { title: what, cell: ({ kind }) => kinds[kind] },
        { title: name, cell: (record) => html`<strong>${nameOfDeleted(record)}</strong>` },
        { title: until, cell: ({ restorable_until: time }) => html`<time datetime=${time}>${moment(time)}</time>` },
      ],
      actions: ({ kind, key }) => [{ label: restore, run: () => this.act(() => RESTORE[kind]({ key }), t.saved) }],
    });
  }

  #securityLog(): TemplateResult {
    const { log, logLead, event, who, where, time, person, everybody, logEmpty } = t.changes;
    const choose = (change: Event): void => {
      this.#person = (change.target as HTMLSelectElement).value;
      void this.attempt(() => this.#log.read({ user_key: this.#person || null }));
    };
    return this.section<SecurityEvent>({
      title: log,
      lead: logLead,
      controls: html`<div @change=${choose}>${choiceField({ name: 'person', label: person, value: this.#person }, [['', everybody], ...this.#people])}</div>`,
      list: this.#log,
      empty: logEmpty,
      columns: [
        {
          title: event,
          cell: ({ kind, count, subject }) =>
            html`<strong>${t.securityEvents[kind]}</strong>${count > 1 ? ` ×${count}` : nothing}${subject ? html`<br /><small class="muted">ID ${subject}</small>` : nothing}`,
        },
        { title: who, cell: (entry) => this.#actor(entry) },
        {
          title: where,
          cell: (entry) =>
            html`<span class="muted">${[entry.network, entry.browser].filter(Boolean).join(' · ') || '–'}</span>`,
        },
        { title: time, cell: (entry) => html`<time datetime=${entry.time}>${moment(entry.time)}</time>` },
      ],
    });
  }

  #actor({ actor, user_key }: SecurityEvent): string {
    return actor === 'user' && user_key ? nameOf('person', this.#people, user_key) : t.changes.actors[actor];
  }
}

customElements.define('console-changes', ChangesPage);

function nameOfChanged({ device, group, place, privacy_zone, tag, user, vehicle }: Change): string | undefined {
  if (vehicle) return vehicle.nickname ?? t.vehicles.unnamed;
  if (privacy_zone) return privacy_zone.name ?? t.zones.unnamed;
  return user ? personName(user) : ((group ?? place)?.name ?? device?.serial ?? tag?.value);
}

function nameOfDeleted({ kind, name }: DeletedRecord): string {
  return name ?? { vehicle: t.vehicles, device: t.devices, user: t.people }[kind].unnamed;
}
