const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** A file of content that cannot be imported. Its message names the invalid record and the reason. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Reads the members of one record of an imported file; its errors name the place of the record. */
export class RecordReader {
  private readonly record: Readonly<Record<string, unknown>>;

  /** @param where place of the record in the file, such as `posts[3]` */
  constructor(
    value: unknown,
    readonly where: string,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ImportError(`${where} must be an object`);
    }
    this.record = value as Record<string, unknown>;
  }

  /** The readers of the records of a list; empty if the list is absent. */
  records(name: string): RecordReader[] {
    return this.list(name).map((value, at) => RecordReader.of(value, name, at));
  }

  /** The reader of an element of a list. */
  static of(value: unknown, name: string, at: number): RecordReader {
    const reader = new RecordReader(value, `${name}[${at}]`);
    return reader.record.id === undefined ? reader : new RecordReader(value, `${name}[${at}] (id ${reader.id()})`);
  }

  has(name: string): boolean {
    return this.record[name] !== undefined && this.record[name] !== null;
  }

  /** The id of a record: a whole number of 1 or more. */
  id(): number {
    const { id } = this.record;
    return this.check('id', Number.isSafeInteger(id) && Number(id) > 0, 'a whole number of 1 or more');
  }

  /** A text; `absent` if there is none. */
  text(name: string, absent = ''): string {
    if (!this.has(name)) return absent;
    return this.check(name, typeof this.record[name] === 'string', 'a text');
  }

  /** A required, non-empty text. */
  needed(name: string): string {
    const value = this.record[name];
    return this.check(name, typeof value === 'string' && value !== '', 'a non-empty string');
  }

  /** One of `choices`. */
  choice<T extends string>(name: string, choices: readonly T[], absent: T): T {
    const value = this.text(name, absent);
    return this.check(name, choices.includes(value as T), `one of ${choices.join(', ')}`, value) as T;
  }

  /** The source (`raw`) of a text that has two forms; the rendered form if the record has no other. */
  written(name: string): string {
    const value = this.record[name];
    if (typeof value !== 'object') return this.text(name);
    if (value === null) return '';
    const reader = new RecordReader(value, `${this.where}: ${name}`);
    return reader.text('raw', reader.text('rendered'));
  }

  /** A whole number; 0 if it is absent. */
  integer(name: string): number {
    if (!this.has(name)) return 0;
    return this.check(name, Number.isSafeInteger(this.record[name]), 'a whole number');
  }

  boolean(name: string): boolean {
    if (!this.has(name)) return false;
    return this.check(name, typeof this.record[name] === 'boolean', 'true or false');
  }

  /** A date-time as the content interface writes it, `YYYY-MM-DDThh:mm:ss`. */
  date(name: string): string {
    const value = this.record[name];
    return this.check(name, typeof value === 'string' && DATE.test(value), 'a date-time YYYY-MM-DDThh:mm:ss');
  }

  /** An instant with its offset from GMT, such as the registration date of a user. */
  instant(name: string): Date {
    const value = new Date(this.text(name));
    return this.check(name, !Number.isNaN(value.getTime()), 'a date-time with an offset', value);
  }

  list(name: string): readonly unknown[] {
    if (!this.has(name)) return [];
    return this.check(name, Array.isArray(this.record[name]), 'a list');
  }

  numbers(name: string): readonly number[] {
    const list = this.list(name);
    return this.check(name, list.every(Number.isSafeInteger), 'a list of whole numbers', list as readonly number[]);
  }

  texts(name: string): readonly string[] {
    const list = this.list(name);
    const isRight = list.every((value) => typeof value === 'string');
    return this.check(name, isRight, 'a list of strings', list as readonly string[]);
  }

  /** The reader of an object inside the record; of an empty object if it is absent. */
  inner(name: string): RecordReader {
    return new RecordReader(this.has(name) ? this.record[name] : {}, `${this.where}: ${name}`);
  }

  entries(): [string, unknown][] {
    return Object.entries(this.record);
  }

  /** @throws ImportError that names the record */
  reject(what: string): never {
    throw new ImportError(`${this.where}: ${what}`);
  }

  private check<T>(name: string, isRight: boolean, wanted: string, value = this.record[name] as T): T {
    return isRight ? value : this.reject(`${name} must be ${wanted}`);
  }
}
