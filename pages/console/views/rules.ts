import { html, render, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';

import type { Rule as FullRule } from '../../../schema/rules/rule.ts';
import { checksField, choiceField, type Fields, textField } from '../browser/form.ts';
import { mphOf, speedOf, speedUnit } from '../browser/format.ts';
import { type Named, nameOf, vehicleNames } from '../records/known-records.ts';
import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';

const RULE_FIELDS = 'key name speed_limit silent_minutes vehicle_keys';
type Rule = Shown<FullRule, typeof RULE_FIELDS>;

type Condition = keyof typeof t.rules.conditions;
type RuleInput = Pick<Rule, 'name'> & Partial<Rule>;

const createRule = change<{ readonly input: RuleInput }>('createRule(input: RuleInput!) { key }');
const updateRule = change<ByKey & { readonly input: Pick<Rule, 'name'> }>(
  'updateRule(key: String!, input: RuleNameInput!) { key }',
);
const deleteRule = change<ByKey>('deleteRule(key: String!) { key }');

/** Rules, which make events of what vehicles do. */
export class RulesPage extends RecordsPage {
  #vehicles: readonly Named[] = [];
  readonly #rules = new RecordList<Rule>(`rules { ${RULE_FIELDS} }`);

  protected async load(): Promise<void> {
    this.#vehicles = await vehicleNames();
    await this.#rules.read({});
  }

  protected content(): TemplateResult {
    const { title, lead, add, name, when, vehicles, all, rename, remove, removeText, empty } = t.rules;
    return this.section<Rule>({
      title,
      lead,
      add: { label: add, run: () => this.#add() },
      list: this.#rules,
      nameOf: (rule) => rule.name,
      empty,
      columns: [
        { title: name, cell: (rule) => html`<strong>${rule.name}</strong>` },
        { title: when, cell: conditionOf },
        {
          title: vehicles,
          cell: ({ vehicle_keys }) =>
            vehicle_keys.map((key) => nameOf('vehicle', this.#vehicles, key)).join(', ') || all,
        },
      ],
      actions: (rule) => [
        { label: rename, run: () => this.#rename(rule) },
        this.removal(remove, rule.name, removeText, () => deleteRule({ key: rule.key })),
      ],
    });
  }

  #add(): void {
    let place: HTMLElement | undefined;
    const draw = (chosen: string): void => {
      if (place) render(limitField(chosen as Condition), place);
    };
    const begin = (element?: Element): void => {
      place = element as HTMLElement | undefined;
      draw('speed');
    };
    const { add, condition, conditions, vehicles, vehiclesHint } = t.rules;
    this.edit({
      title: add,
      submit: add,
      fields: html`
        ${nameField('')}
        <div @change=${({ target }: Event) => draw((target as HTMLSelectElement).value)}>${choiceField({ name: 'condition', label: condition }, Object.entries(conditions))}</div>
        <div ${ref(begin)}></div>
        ${checksField({ name: 'vehicles', label: vehicles, hint: vehiclesHint }, this.#vehicles, [])}`,
      save: async (fields, data) => {
        const vehicle_keys = data.getAll('vehicles').map(String);
        await createRule({ input: { ...ruleOf(fields), ...(vehicle_keys.length > 0 && { vehicle_keys }) } });
      },
    });
  }

  #rename({ key, name }: Rule): void {
    const save = (fields: Fields) => updateRule({ key, input: { name: fields.name ?? '' } });
    this.edit({ title: t.rules.rename, submit: t.save, fields: nameField(name), save });
  }
}

customElements.define('console-rules', RulesPage);

function nameField(value: string): TemplateResult {
  return textField({ name: 'name', label: t.rules.name, value, isRequired: true, maxLength: 255 });
}

/** Draws the limit of a condition, in its unit. */
function limitField(condition: Condition): TemplateResult {
  const [label = '', hint] = t.rules.limits(speedUnit)[condition];
  return textField({ name: 'limit', label, type: 'number', isRequired: true, ...(hint && { hint }) });
}

function conditionOf({ speed_limit, silent_minutes }: Rule): string {
  return speed_limit === null
    ? t.rules.silentFor(silent_minutes ?? 0)
    : t.rules.fasterThan(`${speedOf(speed_limit)} ${speedUnit}`);
}

function ruleOf({ name = '', condition, limit }: Fields): RuleInput {
  return condition === 'speed' ? { name, speed_limit: mphOf(Number(limit)) } : { name, silent_minutes: Number(limit) };
}
