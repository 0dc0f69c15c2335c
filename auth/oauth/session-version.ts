/** Stands for a session's mark if no session is involved. */
export const ANY_VERSION: unique symbol = Symbol('any version');

/**
 * The mark that a session carries of its user's `session_version`, in the member `acr` that the OAuth library keeps with it:
 * no request here asks for such a class of authentication. The version is read together with the password,
 * so that a sign-in that is overtaken by a change of the password creates no session.
 */
export function versionMark(version: number): string {
  return `session-version:${version}`;
}

/** Returns true if the user has not ended a session with this mark; sessions without marks are of version 0. */
export function isOfVersion(
  mark: string | undefined,
  { session_version }: { readonly session_version: number },
): boolean {
  return (mark ?? versionMark(0)) === versionMark(session_version);
}
