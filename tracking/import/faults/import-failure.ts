/** A place in a file of text, both numbers from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A reason why a file cannot be imported, thrown by code that does not know the name of the file. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** The place where reading stopped; null if the reason concerns the whole file. */
  readonly place: Place | null;

  constructor(reason: string, place: Place | null = null) {
    super(reason);
    this.place = place;
  }
}

/** A file that cannot be parsed to its end; nothing of it is imported. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly file: string;
  /** Line and column, from 1, where reading stopped; null if the file could not be read at all. */
  readonly line: number | null;
  readonly column: number | null;
  readonly reason: string;

  constructor(file: string, { place, message }: Pick<FileError, 'place' | 'message'>) {
    super(place ? `${file}:${place.line}:${place.column}: ${message}` : `${file}: ${message}`);
    this.file = file;
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
    this.reason = message;
  }
}

/** Names options in a message as requests do, instead of commands: `time_format` for `--time-format`. */
export function withParameters(message: string): string {
  return message.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) => name.replaceAll('-', '_'));
}

/** Adds the name of the file to a {@link FileError}; returns any other error unchanged. */
export function withFile(file: string, error: unknown): unknown {
  return error instanceof FileError ? new ImportFailure(file, error) : error;
}
