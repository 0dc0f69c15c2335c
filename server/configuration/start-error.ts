/** Something around the service that keeps it from starting. Its message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
