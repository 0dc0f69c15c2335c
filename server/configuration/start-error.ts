/** A problem in the environment that prevents the service from starting. Its message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
