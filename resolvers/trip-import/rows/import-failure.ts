/** A file that cannot be parsed to its end; nothing of it is imported. */
export class ImportFailure extends Error {
  readonly file: string;
  /** Line and column, from 1, where reading broke off; null where the file could not be read at all. */
  readonly line: number | null;
  readonly column: number | null;
  /** What was wrong, without the place. */
  readonly reason: string;

  constructor(file: string, place: { readonly line: number; readonly column: number } | null, reason: string) {
    super(place ? `${file}:${place.line}:${place.column}: ${reason}` : `${file}: ${reason}`);
    this.name = 'ImportFailure';
    this.file = file;
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
    this.reason = reason;
  }
}
