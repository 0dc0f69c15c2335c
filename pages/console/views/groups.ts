import { html, type TemplateResult } from 'lit';

import type { Group as FullGroup, GroupMembersInput } from '../../../schema/account/group.ts';
import type { Vehicle as FullVehicle } from '../../../schema/vehicles/vehicle.ts';
import { checksField, choiceField, type Fields, textField } from '../browser/form.ts';
import { nameOf } from '../records/known-records.ts';
import { change, query, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';

type Group = Shown<FullGroup, 'key name active parent_group_key member_counts'>;
type Vehicle = Shown<FullVehicle, 'key nickname group_keys'>;

interface ByGroupKey {
  readonly group_key: string;
}

const readGroups = query<readonly Group[], { readonly show_inactive: boolean }>(
  'groups(show_inactive: Boolean) { key name active parent_group_key member_counts { car user } }',
);
const readVehicles = query<{ readonly nodes: readonly Vehicle[] }, { readonly first: number }>(
  'vehicles(first: Int) { nodes { key nickname group_keys } }',
);
const createGroup = change<{ readonly name: string; readonly parent_group_key: string | null }>(
  'createGroup(name: String!, parent_group_key: String) { key }',
);
const updateGroup = change<
  ByGroupKey & { readonly input: Partial<Pick<Group, 'name' | 'parent_group_key' | 'active'>> }
>('updateGroup(group_key: String!, input: GroupInput!) { key }');
const deactivateGroup = change<ByGroupKey>('deactivateGroup(group_key: String!) { key }');
const applyGroups = change<{ readonly input: GroupMembersInput }>('applyGroups(input: GroupMembersInput!) { key }');

/** Groups, to which vehicles belong and people are restricted. */
export class GroupsPage extends RecordsPage {
  #groups: readonly Group[] = [];
  #vehicles: readonly Vehicle[] = [];

  protected async load(): Promise<void> {
    this.#vehicles = (await readVehicles({ first: 1000 })).nodes;
    this.#groups = await readGroups({ show_inactive: true });
  }

  protected content(): TemplateResult {
    const { title, lead, add, name, below, members, counts, inactive, empty } = t.groups;
    return this.section<Group>({
      title,
      lead,
      add: { label: add, run: () => this.#add() },
      list: { rows: this.#groups },
      nameOf: (group) => group.name,
      empty,
      columns: [
        {
          title: name,
          cell: (group) =>
            html`<strong>${group.name}</strong> ${group.active ? '' : html`<span class="badge">${inactive}</span>`}`,
        },
        {
          title: below,
          cell: ({ parent_group_key }) => (parent_group_key ? nameOf('group', this.#names(), parent_group_key) : '–'),
        },
        { title: members, cell: ({ member_counts: { car, user } }) => counts(car, user) },
      ],
      actions: (group) => this.#actions(group),
    });
  }

  #names(): readonly (readonly [string, string])[] {
    return this.#groups.map(({ key, name }) => [key, name]);
  }

  #actions(group: Group): readonly Action[] {
    const { vehicles, activate, deactivate } = t.groups;
    const group_key = group.key;
    const turn = group.active
      ? () => deactivateGroup({ group_key })
      : () => updateGroup({ group_key, input: { active: true } });
    return [
      { label: vehicles, run: () => this.#chooseVehicles(group) },
      { label: t.records.edit, run: () => this.#change(group) },
      {
        label: group.active ? deactivate : activate,
        isDangerous: group.active,
        run: () => this.act(turn, t.records.done),
      },
    ];
  }

  #add(): void {
    const save = (fields: Fields) => createGroup(inputOf(fields));
    this.edit({ title: t.groups.add, submit: t.groups.add, fields: this.#fields(), save });
  }

  #change(group: Group): void {
    const save = (fields: Fields) => updateGroup({ group_key: group.key, input: inputOf(fields) });
    this.edit({ title: group.name, submit: t.save, fields: this.#fields(group), save });
  }

  #fields(group?: Group): TemplateResult {
    const { name, below, top } = t.groups;
    const others = this.#names().filter(([key]) => key !== group?.key);
    return html`
      ${textField({ name: 'name', label: name, value: group?.name ?? '', isRequired: true, maxLength: 255 })}
      ${choiceField({ name: 'parent', label: below, value: group?.parent_group_key ?? '' }, [['', top], ...others])}`;
  }

  #chooseVehicles({ key, name }: Group): void {
    const { vehicles } = t.groups;
    const present = this.#vehicles.filter(({ group_keys }) => group_keys.includes(key)).map((vehicle) => vehicle.key);
    const options = this.#vehicles.map((vehicle) => [vehicle.key, vehicle.nickname ?? t.vehicles.unnamed] as const);
    this.edit({
      title: name,
      submit: t.save,
      fields: html`${checksField({ name: 'vehicles', label: vehicles }, options, present)}`,
      save: async (_fields, data) => {
        const chosen = data.getAll('vehicles').map(String);
        const added = chosen.filter((vehicle) => !present.includes(vehicle));
        const removed = present.filter((vehicle) => !chosen.includes(vehicle));
        if (added.length > 0) await applyGroups({ input: { action: 'add', group_keys: [key], member_keys: added } });
        if (removed.length > 0)
          await applyGroups({ input: { action: 'remove', group_keys: [key], member_keys: removed } });
      },
    });
  }
}

customElements.define('console-groups', GroupsPage);

function inputOf({ name = '', parent = '' }: Fields): {
  readonly name: string;
  readonly parent_group_key: string | null;
} {
  return { name, parent_group_key: parent || null };
}
