import { RuleInput, RuleNameInput } from '../../schema/rules/rule.ts';

import { add, fieldOptions, list, pageOptions, remove, type Resource, show, update } from '../shell/resource.ts';

/** `rule` */
export const RULE: Resource = {
  name: 'rule',
  description: 'Speed and silence limits whose violations create events',
  columns: ['key', 'name', 'speed_limit', 'silent_minutes', 'vehicle_keys'],
  commands: [
    list({ field: 'rules', summary: 'List the rules of an account', options: pageOptions() }),
    show({ field: 'rule', summary: 'Show a rule' }),
    add({
      field: 'createRule',
      summary: 'Add a speed rule or a silence rule to an account',
      example: '--account KEY --name "Too fast" --speed-limit 75',
      options: fieldOptions(RuleInput),
    }),
    update({
      field: 'updateRule',
      summary: 'Rename a rule',
      example: 'KEY --name "Over 75"',
      options: fieldOptions(RuleNameInput, ['name']),
    }),
    remove({ field: 'deleteRule', summary: 'Delete a rule with all its events' }),
  ],
};
