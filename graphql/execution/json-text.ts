/** A record of an answer that has been written as JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A value of an answer as JSON. */
  static of(value: unknown): string {
    return value instanceof JsonText ? value.text : JSON.stringify(value);
  }
}
