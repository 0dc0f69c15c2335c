/** A file of content that cannot be imported. Its message says which record is wrong, and what is wrong about it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
