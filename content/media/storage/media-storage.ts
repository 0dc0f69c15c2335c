/** Facts about a stored file that are known without reading it. */
export interface StoredFile {
  /** Below the folder of uploads, such as `2026/11/diagram.png`. */
  readonly path: string;
  /** MIME type. */
  readonly type: string;
  /** In bytes. */
  readonly length: number;
  /** A strong validator: differs when the bytes do. */
  readonly etag: string;
  readonly modified: Date;
  /** The bytes from `start` until before `end`; all of them unless said. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/**
 * A store of uploaded files. It loses nothing that it acknowledged, shows a file whole or not at all, and never
 * replaces one.
 */
export interface MediaStorage {
  /**
   * Stores a file.
   *
   * @returns false where the path is taken, and then nothing is stored
   */
  store(path: string, type: string, bytes: Uint8Array): Promise<boolean>;
  /** The file at a path; null where there is none. */
  find(path: string): Promise<StoredFile | null>;
  /** The paths that are taken among those in one folder whose name starts so. */
  pathsStarting(prefix: string): Promise<readonly string[]>;
  /** Removes files; a path where none lies is left out. */
  remove(paths: readonly string[]): Promise<void>;
  /** Removes every file. */
  clear(): Promise<void>;
}
