/** A command that could not do what it was asked for. Its message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
