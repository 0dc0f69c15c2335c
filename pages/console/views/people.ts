import { html, type TemplateResult } from 'lit';

import type { AccountRole, User } from '../../../schema/account/user.ts';
import { checksField, choiceField, type Fields, textField } from '../browser/form.ts';
import { showOnce } from '../records/form-dialog.ts';
import { groupNames, type Named, nameOf } from '../records/known-records.ts';
import { pageAddress } from '../browser/page-data.ts';
import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';
import { personName } from '../browser/trip-fields.ts';

const PERSON_FIELDS = 'key first_name last_name email account_role group_keys';
type Person = Shown<User, typeof PERSON_FIELDS>;

interface Invited {
  readonly invitation_url: string | null;
}

type PersonInput = Partial<Omit<Person, 'key'>>;

const createUser = change<{ readonly input: PersonInput }, Invited>('createUser(input: UserInput!) { invitation_url }');
const updateUser = change<ByKey & { readonly input: PersonInput }>(
  'updateUser(key: String!, input: UserInput!) { key }',
);
const deleteUser = change<ByKey>('deleteUser(key: String!) { key }');
const restoreUser = change<ByKey>('restoreUser(key: String!) { key }');
const inviteUser = change<ByKey, Invited>('inviteUser(key: String!) { invitation_url }');

/** The users of the account, and invitations. */
export class PeoplePage extends RecordsPage {
  #groups: readonly Named[] = [];
  readonly #people = new RecordList<Person>(`users { ${PERSON_FIELDS} }`);

  protected async load(): Promise<void> {
    this.#groups = await groupNames();
    await this.#people.read({});
  }

  protected override actions(): TemplateResult {
    return html`<a class="button quiet" href=${pageAddress('/groups')}>${t.pages.groups}</a>`;
  }

  protected content(): TemplateResult {
    return html`${this.undoNotice()} ${this.#list()}`;
  }

  #list(): TemplateResult {
    const { title, lead, invite, name, email, role, roles, groups, all, empty } = t.people;
    return this.section<Person>({
      title,
      lead,
      add: { label: invite, run: () => this.#invite() },
      list: this.#people,
      nameOf: personName,
      empty,
      columns: [
        { title: name, cell: (person) => html`<strong>${personName(person)}</strong>` },
        { title: email, cell: (person) => html`<span class="address">${person.email ?? '–'}</span>` },
        { title: role, cell: ({ account_role }) => roles[account_role][0] },
        {
          title: groups,
          cell: ({ group_keys }) => group_keys.map((key) => nameOf('group', this.#groups, key)).join(', ') || all,
        },
      ],
      actions: (person) => this.#actions(person),
    });
  }

  #actions(person: Person): readonly Action[] {
    const { newLink, remove, removeText, restore } = t.people;
    const { key } = person;
    const name = personName(person);
    return [
      { label: t.records.edit, run: () => this.#change(person) },
      { label: newLink, run: () => this.attempt(async () => showInvitation(await inviteUser({ key }))) },
      this.removal(remove, name, removeText, async () => {
        await deleteUser({ key });
        this.offerUndo(t.records.removed(name), restore, () => restoreUser({ key }));
      }),
    ];
  }

  #invite(): void {
    const { invite, inviteLead } = t.people;
    const save = async (fields: Fields, data: FormData) =>
      showInvitation(await createUser({ input: inputOf(fields, data) }));
    this.edit({ title: invite, lead: inviteLead, submit: invite, fields: this.#fields(), save });
  }

  #change(person: Person): void {
    const save = (fields: Fields, data: FormData) => updateUser({ key: person.key, input: inputOf(fields, data) });
    this.edit({ title: personName(person), submit: t.save, fields: this.#fields(person), save });
  }

  #fields(person?: Person): TemplateResult {
    const { firstName, lastName, email, role, roles, groups, groupsHint } = t.people;
    return html`
      ${textField({ name: 'first_name', label: firstName, value: person?.first_name ?? '', maxLength: 255 })}
      ${textField({ name: 'last_name', label: lastName, value: person?.last_name ?? '', maxLength: 255 })}
      ${textField({ name: 'email', label: email, type: 'email', value: person?.email ?? '', isRequired: !person || person.email !== null })}
      ${choiceField(
        { name: 'account_role', label: role, value: person?.account_role ?? 'viewer' },
        (Object.keys(roles) as AccountRole[]).map((key) => [key, roles[key].join(': ')]),
      )}
      ${checksField({ name: 'groups', label: groups, hint: groupsHint }, this.#groups, person?.group_keys ?? [])}`;
  }
}

customElements.define('console-people', PeoplePage);

function inputOf({ first_name, last_name, email, account_role }: Fields, data: FormData): PersonInput {
  const group_keys = data.getAll('groups').map(String);
  const names = { first_name: first_name || null, last_name: last_name || null };
  return { ...names, account_role: account_role as AccountRole, group_keys, ...(email ? { email } : {}) };
}

async function showInvitation({ invitation_url }: Invited): Promise<void> {
  if (invitation_url) await showOnce(t.people.link, t.people.linkText, invitation_url, true);
}
