import { type Command, InvalidArgumentError, Option } from 'commander';

import { Float, Int } from 'type-graphql';

import { GeoPointInput } from '../../schema/trips/geo-point.ts';
import type { InputOf } from '../../schema/writable.ts';
import type { RecordKind } from '../../models/lookup/account-of-record.ts';

import { type Answer, formatValue } from './answer.ts';
import { command, type OperatorCommand } from './operator-command.ts';
import type { Table } from './table.ts';
import { UsageError } from './command-error.ts';
import type { Service } from '../../models/store/service.ts';

/** An option that is an argument of a root field, or a member of its `input`. */
export class ArgumentOption extends Option {
  /** Name of the argument in the API. */
  readonly argument: string;

  constructor(flags: string, argument: string, description: string) {
    super(flags, description);
    this.argument = argument;
  }

  /** False for a field that always has a value: `--clear` does not offer it. */
  isEmptiable = true;

  /** Declares that the field always has a value. */
  neverEmpty(): this {
    this.isEmptiable = false;
    return this;
  }

  /** Reads each value by a function, which throws an InvalidArgumentError. */
  readBy(read: (text: string) => unknown): this {
    return this.argParser((text: string, before: unknown) =>
      this.variadic ? [...((before as unknown[] | undefined) ?? []), read(text)] : read(text),
    );
  }
}

/** Creates an option for an argument of the API. */
export function argument(flags: string, name: string, description: string): ArgumentOption {
  return new ArgumentOption(flags, name, description);
}

/** Reads a number. */
export function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

/** Reads a yes or no. */
export function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
}

/** Reads a position. */
function readPoint(text: string): { readonly lat: number; readonly lon: number } {
  const [lat = '', lon = '', ...rest] = text.split(',');
  if (rest.length > 0) throw new InvalidArgumentError('It must be LAT,LON in degrees.');
  return { lat: readNumber(lat), lon: readNumber(lon) };
}

/**
 * Options of the writable fields of an input, in their order.
 *
 * @param required fields that the command requires in addition to those of the API
 */
export function fieldOptions(
  { fields }: Pick<InputOf<object>, 'fields'>,
  required: readonly string[] = [],
): ArgumentOption[] {
  return fields.flatMap((field) => {
    const { name, option, description, optionDescription = firstWords(description) } = field;
    if (option === undefined) return [];
    const made = argument(option, name, optionDescription);
    const type = [field.type()].flat()[0];
    if (type === Int || type === Float) made.readBy(readNumber);
    else if (type === Boolean) made.readBy(readBoolean);
    else if (type === GeoPointInput) made.readBy(readPoint);
    else if (typeof type === 'object' && type !== null) made.choices(Object.keys(type));
    if (!field.rule || !(field.nullable || made.variadic)) made.neverEmpty();
    return made.makeOptionMandatory(field.isRequired || required.includes(name));
  });
}

/** The selection of a part of a record that has the writable fields of an input. */
export function relationOf(name: string, { fields }: Pick<InputOf<object>, 'fields'>): string {
  return `${name} { ${fields.map((field) => field.name).join(' ')} }`;
}

/** The beginning of a description, up to a comma, a semicolon or a period, in the form of help. */
function firstWords(description: string): string {
  const [words = ''] = description.split(/[,;.]/);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** Options of a list that has pages. */
export function pageOptions(): ArgumentOption[] {
  return [
    argument('--first <number>', 'first', 'maximum number of records, 1 to 1000').readBy(readNumber),
    argument('--after <cursor>', 'after', 'end_cursor of the previous page'),
  ];
}

/** A command that is a client of a root field: it calls the field as the operator, and prints the result. */
export interface FieldCommand {
  /** `list`, `show`, `add`, `update` or `remove`; other verbs only for other operations. */
  readonly verb: string;
  /** Name of the query or mutation. */
  readonly field: string;
  readonly summary: string;
  /** End of the example in the help, after the name of the command. */
  readonly example: string;
  readonly options?: readonly ArgumentOption[];
  /** True if the argument of the command names the record. */
  readonly isOfRecord: boolean;
  /** Kind of the record that an option names, in whose account the command works. */
  readonly holder?: 'account' | 'device';
  /** Participle for people, such as `added`. */
  readonly done?: string;
  /** Member of the answer that is shown only once. */
  readonly secret?: string;
  /** The value that empties a field which holds no list; null by default. */
  readonly emptied?: '';
  /** Columns of a list in place of the resource's. */
  readonly columns?: readonly string[];
  /** Name of the argument in the API that names the record, unless it is that of the resource; null if there is none. */
  readonly keyArgument?: string | null;
}

/** A kind of record, with the commands that are clients of the API. */
export interface Resource {
  readonly name: string;
  /** Kind by which the account of a record is found if only its key is given; the name by default. */
  readonly kind?: RecordKind;
  readonly description: string;
  /** The member that identifies a record, and its argument in the API; `key` by default. */
  readonly key?: string;
  /** Columns of a list: members of the record; a dot leads to members of members. */
  readonly columns: readonly string[];
  /** Selections of other records that a record is shown with: `tags { key value }`. */
  readonly relations?: readonly string[];
  /** The member that nests records of the same kind. */
  readonly tree?: string;
  readonly commands: readonly FieldCommand[];
}

/** Further members of a description; an example in place of the usual one. */
type Further = Partial<Omit<FieldCommand, 'field' | 'summary'>>;

/** Describes `list`, whose options are followed by those of pages. */
export function list(
  field: string,
  summary: string,
  { isPaged = true, options = [], ...further }: Further & { readonly isPaged?: boolean } = {},
): FieldCommand {
  const all = [...options, ...(isPaged ? pageOptions() : [])];
  return { ...OF_ACCOUNT, verb: 'list', field, summary, example: '--account KEY', ...further, options: all };
}

/** Describes `show`. */
export function show(field: string, summary: string, further: Further = {}): FieldCommand {
  return { verb: 'show', isOfRecord: true, field, summary, example: 'KEY --json', ...further };
}

/** Describes `add`. */
export function add(field: string, summary: string, example: string, further: Further = {}): FieldCommand {
  return { ...OF_ACCOUNT, verb: 'add', done: 'added', field, summary, example, ...further };
}

/** Describes `update`. */
export function update(field: string, summary: string, example: string, further: Further = {}): FieldCommand {
  return { verb: 'update', isOfRecord: true, done: 'updated', field, summary, example, ...further };
}

/** Describes `remove`. */
export function remove(field: string, summary: string, further: Further = {}): FieldCommand {
  return { verb: 'remove', isOfRecord: true, done: 'removed', field, summary, example: 'KEY', ...further };
}

const OF_ACCOUNT = { isOfRecord: false, holder: 'account' } as const;

/** Adds the commands of a resource to the program; returns their group. */
export function addResource(program: Command, resource: Resource): Command {
  const group = program.command(resource.name).description(resource.description);
  for (const described of resource.commands) addFieldCommand(group, resource, described);
  return group;
}

type Values = Readonly<Record<string, unknown>>;

const rootFields = new WeakMap<Command, string>();

/** Name of the root field that a command calls; undefined for one that calls none by itself. */
export function rootFieldOf(asking: Command): string | undefined {
  return rootFields.get(asking);
}

/** Adds the command of a resource with its options, without its action. */
export function addDescribed(
  group: Command,
  resource: Resource,
  { verb, summary, example, isOfRecord, holder, options = [] }: Omit<FieldCommand, 'field'>,
): OperatorCommand {
  const added = command(group, verb, summary).example(`${resource.name} ${verb} ${example}`);
  if (isOfRecord) added.argument('<key>', `key of the ${nounOf(resource)}`);
  if (holder === 'account') addAccount(added, options);
  if (holder === 'device') added.requiredOption('--device <key>', 'device to which the command applies');
  for (const option of options) added.addOption(option);
  if (verb.startsWith('update')) addClear(added, options);
  return added;
}

function addFieldCommand(group: Command, resource: Resource, described: FieldCommand): void {
  const { holder, options = [] } = described;
  const added = addDescribed(group, resource, described);
  rootFields.set(added, described.field);
  added.answers(async (given: Values, { config: { authUrl: issuer }, service }, key: string) => {
    const { accountOfRecord } = await import('../../models/lookup/account-of-record.ts');
    const { askRootField } = await import('./ask-root-field.ts');
    const ofRecord = [kindOf(resource), key] as const;
    const account_key = await accountOfRecord(
      service,
      ...(holder === undefined ? ofRecord : (namedRecord(given) ?? ofRecord)),
    );
    const values = valuesOf(resource, described, given, key);
    const { relations = [], tree } = resource;
    const asked = { field: described.field, account_key, issuer, values, relations, tree };
    const answer = await inWordsOf(options, askRootField(service, asked));
    return answerOf(resource, described, key, answer);
  });
}

/** Kinds of records that options name, by which their account is found. */
const NAMED_RECORDS = ['account', 'device', 'vehicle', 'user', 'group', 'place', 'trip', 'rule'] as const;

type NamedRecord = readonly [kind: (typeof NAMED_RECORDS)[number], key: string];

/** Adds `--account`, which may be omitted if another option names a record of the account. */
function addAccount(added: OperatorCommand, options: readonly ArgumentOption[]): void {
  const others = options.filter((option) => NAMED_RECORDS.some((kind) => kind === option.attributeName()));
  if (others.length === 0) {
    added.requiredOption('--account <key>', 'account to which the command applies');
    return;
  }
  const unless = others.map(({ long }) => long).join(' or ');
  added.option('--account <key>', `account that the command concerns; required unless ${unless} is given`);
  added.hook('preAction', () => {
    if (!namedRecord(added.opts<Values>())) throw new UsageError(`Give --account, or ${unless}`);
  });
}

/** The record that options name, and through it their account. */
function namedRecord(given: Values): NamedRecord | undefined {
  return NAMED_RECORDS.flatMap((kind): NamedRecord[] => {
    const [key] = [given[kind]].flat();
    return typeof key === 'string' ? [[kind, key]] : [];
  })[0];
}

/** Adds the option that empties fields which may be empty, and rejects an update that changes nothing. */
function addClear(added: OperatorCommand, options: readonly ArgumentOption[]): void {
  const names = options
    .filter(({ mandatory, isEmptiable }) => !mandatory && isEmptiable)
    .map((option) => option.name());
  if (names.length > 0) {
    added.addOption(new Option('--clear <field...>', 'field to clear; may be repeated').choices(names));
  }
  added.hook('preAction', () => {
    const { json: _json, quiet: _quiet, ...changes } = added.opts<Values>();
    if (Object.keys(changes).length > 0) return;
    throw new UsageError(`Nothing to change; give ${options.map(({ long }) => long).join(', ')}`);
  });
}

/** The arguments of the API that options give, by name. */
export function argumentsIn(options: readonly ArgumentOption[], given: Values, emptied: '' | null = null): Values {
  const cleared = new Set(given.clear as readonly string[] | undefined);
  const values = options.map((option) => {
    const empty = option.variadic ? [] : emptied;
    return [option.argument, cleared.has(option.name()) ? empty : given[option.attributeName()]] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The arguments of the API that a call gives. */
function valuesOf(resource: Resource, described: FieldCommand, given: Values, key: string): Values {
  const { options = [], holder, isOfRecord, keyArgument = resource.key ?? 'key', emptied } = described;
  return {
    ...argumentsIn(options, given, emptied),
    ...(isOfRecord && keyArgument !== null && { [keyArgument]: key }),
    ...(holder === 'device' && { device_key: given.device }),
  };
}

/**
 * The record that `show` of a resource prints.
 *
 * @param key of the record
 */
export async function recordOf(
  service: Service,
  resource: Resource,
  account_key: string,
  key: string,
  issuer: string,
): Promise<Json> {
  const shown = resource.commands.find(({ verb }) => verb === 'show');
  if (!shown) throw new TypeError(`${resource.name} has no show`);
  const { askRootField } = await import('./ask-root-field.ts');
  const { relations = [], tree } = resource;
  const values = valuesOf(resource, shown, {}, key);
  return (await askRootField(service, { field: shown.field, account_key, issuer, values, relations, tree })) as Json;
}

/** Waits for work; its error names the options in place of the arguments of the API, which a message begins with. */
export async function inWordsOf<Result>(options: readonly ArgumentOption[], work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ServiceError') throw error;
    const [name = ''] = /^\w+/.exec(error.message) ?? [];
    const option = options.find(({ argument: path }) => path.split('.').at(-1) === name);
    if (option) error.message = `${option.long}${error.message.slice(name.length)}`;
    throw error;
  }
}

function answerOf(resource: Resource, described: FieldCommand, key: string, answer: unknown): Answer {
  const { key: member = 'key' } = resource;
  const { verb, done, secret, columns = resource.columns } = described;
  if (Array.isArray(answer)) return listAnswer({ nodes: answer }, { ...resource, columns });
  if (isPage(answer)) return listAnswer(answer, { ...resource, columns });
  const isRecord = typeof answer === 'object' && answer !== null;
  const json: Json = !isRecord
    ? { [member]: key }
    : 'deleted' in answer
      ? { [member]: key, deleted: true }
      : withSecret(answer, secret);
  const noun = capitalized(nounOf(resource));
  const isNew = verb === 'add' || verb === 'show' || secret !== undefined;
  return {
    title: done === undefined ? noun : `${noun} ${done}`,
    json,
    ...(isNew && { quiet: [member, ...(secret ? [secret] : [])].map((name) => formatValue(json[name])) }),
    ...(secret !== undefined && { note: `Save ${secret}: it is shown only once.` }),
  };
}

/** An answer with its secret under the name that the command gives it. */
function withSecret(answer: object, name = 'secret'): Json {
  if (!('secret' in answer)) return { ...answer };
  const { secret, ...others } = answer;
  return { ...others, [name]: secret };
}

/** A record as the API shows it. */
export type Json = Readonly<Record<string, unknown>>;

interface Page {
  readonly nodes: readonly Json[];
  /** Absent for a list without pages. */
  readonly page_info?: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

function isPage(answer: unknown): answer is Page {
  return typeof answer === 'object' && answer !== null && 'nodes' in answer;
}

type ListForm = Pick<Resource, 'key' | 'columns' | 'tree'>;

/** The answer of a command that lists records. */
export function listAnswer({ nodes, page_info }: Page, { key = 'key', columns, tree }: ListForm): Answer {
  const records = tree === undefined ? nodes : nodes.flatMap((node) => flattened(node, tree));
  return {
    title: 'No results',
    json: { nodes, ...(page_info && { page_info: continuationOf(page_info) }) },
    table: tableOf(records, columns),
    quiet: records.map((record) => formatValue(record[key])),
    ...(page_info?.has_next_page && { note: `There are more results: continue with --after ${page_info.end_cursor}` }),
  };
}

/** The table of records for people. */
export function tableOf(records: readonly object[], columns: readonly string[]): Table {
  const rows = records.map((record) => columns.map((path) => formatValue(valueAt(record, path.split('.')))));
  return { columns, rows };
}

/** The part of `page_info` that a list which is printed needs. */
function continuationOf({ end_cursor, has_next_page }: NonNullable<Page['page_info']>): Json {
  return { end_cursor, has_next_page };
}

/** A record with those below it, in the order of the tree. */
function flattened(record: Json, tree: string): Json[] {
  const below = (record[tree] as readonly Json[] | undefined) ?? [];
  return [record, ...below.flatMap((node) => flattened(node, tree))];
}

/** The value of a member, or of members of members; of a list, those of its objects. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => valueAt(one, [name, ...rest]));
  return valueAt((value as Json)[name], rest);
}

function kindOf({ kind, name }: Resource): RecordKind {
  return kind ?? (name as RecordKind);
}

function nounOf(resource: Resource): string {
  return kindOf(resource)
    .replaceAll('-', ' ')
    .replace(/^api\b/, 'API');
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
