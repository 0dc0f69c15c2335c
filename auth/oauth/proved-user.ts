/** A user who has entered the right password. */
export interface ProvedUser {
  readonly user_key: string;
  /** The number that the session must carry to be valid. */
  readonly session_version: number;
}
