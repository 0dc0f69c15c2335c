import { RuleInput, RuleNameInput } from '../../schema/rules/rule.ts';

import { add, fieldOptions, list, pageOptions, remove, type Resource, show, update } from '../shell/resource.ts';

/** `rule` */
export const RULE: Resource = {
  name: 'rule',
  description: 'Speed and silence limits whose violations create events',
  columns: ['key', 'name', 'speed_limit', 'silent_minutes', 'vehicle_keys'],
  commands: [
    list('rules', 'List the rules of an account'),
    show('rule', 'Show a rule'),
    add(
      'createRule',
      'Add a speed rule or a silence rule to an account',
      '--account KEY --name "Too fast" --speed-limit 75',
      { options: fieldOptions(RuleInput) },
    ),
    update('updateRule', 'Rename a rule', 'KEY --name "Over 75"', { options: fieldOptions(RuleNameInput, ['name']) }),
    remove('deleteRule', 'Delete a rule with all its events'),
  ],
};
