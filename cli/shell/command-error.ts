/** A command that was called in a way that its help does not allow; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that could not do what it was asked for. Its message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
