import { readFileSync } from 'node:fs';

import type { Setting } from './setting.ts';
import { ConfigError } from '../../schema/config-error.ts';

/** Variables by name, usually `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting, and its source: its variable, the file that `NAME_FILE` names, or its default. */
export interface GivenSetting {
  readonly text: string;
  readonly source: 'environment' | 'file' | 'default';
}

/** Name of the variable with the path of the file that holds a secret, as orchestrators mount them: `METRICS_TOKEN_FILE`. */
export function fileVariable({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `${name}_FILE`;
}

/**
 * Reads a setting; an empty variable counts as absent, and a line break at the end of a file is ignored.
 *
 * @returns null if it is absent and has no default
 * @throws ConfigError if a file cannot be read, or if the secret is given in both ways
 */
export function givenSetting(setting: Setting<unknown>, env: Environment): GivenSetting | null {
  const { name, isSecret, fallback } = setting;
  const text = env[name];
  const file = isSecret ? env[fileVariable(setting)] : undefined;
  if (text && file) {
    throw new ConfigError(`${name} must not be given together with ${fileVariable(setting)}; set one of them`);
  }
  if (text) return { text, source: 'environment' };
  if (file) return { text: readSecret(fileVariable(setting), file), source: 'file' };
  return fallback === null ? null : { text: fallback, source: 'default' };
}

function readSecret(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new ConfigError(`${variable} must be a readable file (${reason})`);
  }
}
