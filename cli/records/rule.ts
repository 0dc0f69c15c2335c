import {
  add,
  argument,
  list,
  pageOptions,
  readNumber,
  remove,
  type Resource,
  show,
  update,
} from '../shell/resource.ts';

const nameOption = () => argument('--name <name>', 'name', 'name of the rule').makeOptionMandatory();

/** `rule` */
export const RULE: Resource = {
  name: 'rule',
  description: 'Limits of speed and silence whose violations create events',
  columns: ['key', 'name', 'speed_limit', 'silent_minutes', 'vehicle_keys'],
  commands: [
    list({ field: 'rules', summary: 'List the rules of an account', options: pageOptions() }),
    show({ field: 'rule', summary: 'Show a rule' }),
    add({
      field: 'createRule',
      summary: 'Add a rule of speed or of silence to an account',
      example: '--account KEY --name "Too fast" --speed-limit 75',
      options: [
        nameOption(),
        argument('--speed-limit <mph>', 'speed_limit', 'speed above which there are events').readBy(readNumber),
        argument('--silent-minutes <n>', 'silent_minutes', 'minutes without a position').readBy(readNumber),
        argument('--vehicle <key...>', 'vehicle_keys', 'vehicle to which it applies; may be repeated (default: all)'),
      ],
    }),
    update({
      field: 'updateRule',
      summary: 'Rename a rule',
      example: 'KEY --name "Over 75"',
      options: [nameOption()],
    }),
    remove({ field: 'deleteRule', summary: 'Delete a rule with all its events' }),
  ],
};
