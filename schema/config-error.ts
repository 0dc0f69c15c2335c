/** A setting that cannot be used. Its message names the variable and says what is expected, and never shows the value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
