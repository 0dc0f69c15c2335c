import { ask, type Operation, operation } from '../browser/ask.ts';
import { operationText } from './operation-text.ts';

/** A value as JSON writes it: times are texts. */
type Written<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Written<Value[Name]> }
      : Value;

type Words<Text> = Text extends `${infer Word} ${infer Others}` ? Word | Words<Others> : Text;

/** Some fields of a record of the schema as a page reads them; their names are a text, as in the selection of a query. */
export type Shown<Record, Names extends string> = {
  readonly [Name in keyof Record & Words<Names>]: Written<Record[Name]>;
};

/** A record by its key. */
export interface ByKey {
  readonly key: string;
}

/** Declares a mutation by its field, as `operationText` reads it; the function sends it and returns the field's value. */
export function change<Variables extends object, Value = unknown>(field: string) {
  return fieldOf<Variables, Value>('mutation', field);
}

/** Declares a query by its field, as `operationText` reads it; the function sends it and returns the field's value. */
export function query<Value, Variables extends object = Record<string, never>>(field: string) {
  return fieldOf<Variables, Value>('query', field);
}

function fieldOf<Variables extends object, Value>(kind: 'mutation' | 'query', field: string) {
  const declared = operation<Readonly<Record<string, Value>>, Variables>(operationText(kind, field));
  return async (variables: Variables): Promise<Value> => {
    const [value] = Object.values(await ask(declared, variables));
    return value as Value;
  };
}

interface Page<Row> {
  readonly nodes: readonly Row[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

/** The first pages of a list. */
export class RecordList<Row, Variables extends object = object> {
  rows: readonly Row[] = [];
  hasMore = false;
  #after: string | null = null;
  #variables: Variables | undefined;
  readonly #operation: Operation<Variables & { after: string | null }, Readonly<Record<string, Page<Row>>>>;

  /** @param field such as `shares { key }`, as `operationText` reads it */
  constructor(field: string) {
    this.#operation = operation(operationText('list', field));
  }

  /** Reads the first page. */
  async read(variables: Variables): Promise<void> {
    this.#variables = variables;
    this.#after = null;
    this.rows = [];
    await this.more();
  }

  /** Reads the next page. */
  async more(): Promise<void> {
    const variables = { ...(this.#variables as Variables), after: this.#after };
    const [page] = Object.values(await ask(this.#operation, variables));
    if (!page) return;
    this.rows = [...this.rows, ...page.nodes];
    this.hasMore = page.page_info.has_next_page;
    this.#after = page.page_info.end_cursor;
  }
}
