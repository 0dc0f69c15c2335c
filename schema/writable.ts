import { type ClassType, Field, InputType } from 'type-graphql';

import { checkName } from './check-name.ts';
import { classMetadata } from './class-metadata.ts';
import { NotNull } from './field-decorators.ts';
import { ServiceError } from './service-error.ts';

/** A rule for the values of a field. */
export interface FieldRule<Value> {
  /** Limits in words, which inputs add to the description of the field: `1 to 255 characters`. */
  readonly limits?: string;
  /** Returns a value as it is stored. @throws ServiceError BAD_REQUEST naming the parameter */
  readonly read: (parameter: string, value: Value) => unknown;
}

/** A text for people. */
export const NAME: FieldRule<string> = { limits: '1 to 255 characters', read: checkName };

/** Any value of the type. */
export const ANY: FieldRule<unknown> = { read: (_parameter, value) => value };

/** A number from `min` to `max`. */
export function numberFrom(min: number, max: number, limits = `${min} to ${max}`): FieldRule<number> {
  return {
    limits,
    read: (parameter, value) => {
      if (value >= min && value <= max) return value;
      throw new ServiceError('BAD_REQUEST', `${parameter} must be ${min} to ${max}`);
    },
  };
}

/** Declaration of a field that callers write. */
interface WritableOptions {
  readonly nullable?: boolean;
  readonly defaultValue?: unknown;
  /** Checks values; null clears a nullable field. Without a rule, the resolver reads the field itself, and nothing clears it. */
  readonly rule?: FieldRule<never>;
  /** Type in inputs, if it is different. */
  readonly inputType?: () => unknown;
  /** Description in inputs; that of the record by default. */
  readonly inputDescription?: string;
  /** Flags of the option of commands, `--plate-number <number>`; none if the field is not given by a single option. */
  readonly option?: string;
  /** Description of the option; the beginning of that of the record by default. */
  readonly optionDescription?: string;
  /** True if it is set on creation and cannot be changed. */
  readonly isFixed?: boolean;
}

/** A field of a record that callers write. */
export interface WritableField extends Omit<WritableOptions, 'inputType'> {
  readonly name: string;
  readonly description: string;
  /** Type in inputs: a scalar, a closed list, an input, or a list of one of these. */
  readonly type: () => unknown;
  /** True if new records must have it. */
  readonly isRequired: boolean;
}

const fieldsOfRecords = new WeakMap<object, WritableField[]>();

/**
 * Declares a field of a record that callers write, in place of `@Field`. Its member of the inputs that {@link inputOf} makes, its
 * check and the option of commands follow from it.
 */
export function Writable(
  type: () => unknown,
  description: string,
  { nullable = false, defaultValue, inputType = type, ...rest }: WritableOptions = {},
): PropertyDecorator {
  return (prototype, name) => {
    Field(type as never, { nullable, defaultValue, description })(prototype, name);
    const fields = fieldsOfRecords.get(prototype.constructor) ?? [];
    fieldsOfRecords.set(prototype.constructor, fields);
    const isRequired = !nullable && defaultValue === undefined && !Array.isArray(type());
    fields.push({ ...rest, name: String(name), type: inputType, nullable, description, isRequired });
  };
}

/** Values of the fields of a record, as inputs have them. */
export type Written<Record> = {
  readonly [Name in Exclude<keyof Record, 'key' | 'created' | 'updated'>]?: Record[Name] | null;
};

/** Forms of an input. */
interface InputForm<Record> {
  /** True for new records: their mandatory fields are required. */
  readonly isNew?: boolean;
  /** Treatment of null for fields that are never null, which is to reject it by default; `rejected` is for all fields. */
  readonly nulls?: 'ignored' | 'rejected';
  /** Fields that come first; by default the order is that of the record. */
  readonly first?: readonly (keyof Record)[];
}

/** Class of an input with the writable fields of a record. */
export interface InputOf<Record> {
  new (): Written<Record>;
  readonly fields: readonly WritableField[];
  /**
   * Reads the given fields by their rules; those without a rule are omitted.
   *
   * @throws ServiceError BAD_REQUEST naming the parameter
   */
  read(input: Written<Record>): Partial<Record>;
}

/** Makes the class that a {@link WritableInput} extends to have the writable fields of a record. */
export function inputOf<Record extends object>(
  record: ClassType<Record>,
  { isNew = false, nulls, first = [] }: InputForm<Record> = {},
): InputOf<Record> {
  const declared = fieldsOfRecords.get(record) ?? [];
  const place = ({ name }: WritableField) => (first.indexOf(name as never) + first.length + 1) % (first.length + 1);
  const fields = declared
    .filter(({ isFixed }) => isNew || !isFixed)
    .toSorted((a, b) => place(a) - place(b))
    .map((field) => ({ ...field, isRequired: isNew && field.isRequired }));
  class Fields {
    static readonly fields = fields;

    static read(input: Written<Record>): Partial<Record> {
      return Object.fromEntries(
        fields.flatMap((field) => readField(field, input[field.name as never], nulls)),
      ) as never;
    }
  }
  for (const field of fields) {
    const { name, type, description, inputDescription = description, rule, isRequired, nullable } = field;
    const limits = rule?.limits === undefined ? '' : `, ${rule.limits}.`;
    const described = limits === '' ? inputDescription : inputDescription.replace(/\.$/, limits);
    Field(type as never, { nullable: !isRequired, description: described })(Fields.prototype, name);
    if (!isRequired && (nulls === 'rejected' || (!nullable && nulls === undefined))) NotNull()(Fields.prototype, name);
  }
  return Fields as never;
}

/**
 * Declares an input that extends {@link inputOf}, in place of `@InputType`. It takes over the fields of that class, since
 * type-graphql drops the extensions of inherited ones, and with them {@link NotNull}.
 */
export function WritableInput(options: { readonly description: string }): ClassDecorator {
  return (input) => {
    const { fields, fieldExtensions } = classMetadata();
    for (const field of [...fields, ...fieldExtensions]) {
      if (field.target === Object.getPrototypeOf(input)) field.target = input;
    }
    InputType(options)(input);
  };
}

/** The field with its value as it is stored, if it is given and has a rule. */
function readField(
  { name, rule, nullable, type }: WritableField,
  value: unknown,
  nulls: 'ignored' | 'rejected' | undefined,
): (readonly [string, unknown])[] {
  if (rule === undefined || value === undefined) return [];
  if (value !== null) return [[name, rule.read(name, value as never)]];
  if (nullable && nulls !== 'rejected') return [[name, null]];
  if (nulls === 'ignored') return [];
  const expected = type() === Boolean ? 'true or false' : Array.isArray(type()) ? 'a list' : 'a string';
  throw new ServiceError('BAD_REQUEST', `${name} must be ${expected}`);
}
