/** A request, once its path and method have found their row. */
export interface RestRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly contentType: string | undefined;
  /** The header `Prefer`. */
  readonly prefer?: string | undefined;
  /** Empty if there is none. */
  readonly body: Uint8Array;
  /** Path of a temporary file with the body, or the file in its form, if the row takes one. */
  readonly file?: string | undefined;
  /** Receives the names of the members of a JSON body when it is read. */
  readonly onMembers?: (names: readonly string[]) => void;
}
