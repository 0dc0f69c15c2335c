/** A command that was called in a way that its help does not describe; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
