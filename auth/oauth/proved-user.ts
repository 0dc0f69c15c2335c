/** Somebody who has proved the password. */
export interface ProvedUser {
  readonly user_key: string;
  /** The number that the session must carry to be one. */
  readonly session_version: number;
}
