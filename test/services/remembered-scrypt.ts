import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

type Done = (error: Error | null, key: Buffer) => void;

/** Keys that this process has derived, by what they follow from. */
const derived = new Map<string, Buffer>();

/**
 * Makes scrypt derive each key once in this process, since it takes an eighth of a second and tests sign in with the same few
 * passwords hundreds of times.
 */
function deriveOnce(password: string, salt: Buffer, length: number, options: ScryptOptions, done: Done): void {
  const input = JSON.stringify([password, salt.toString('hex'), length, options]);
  const known = derived.get(input);
  if (known) return void setImmediate(done, null, Buffer.from(known));
  scrypt(password, salt, length, options, (error, key) => {
    if (!error) derived.set(input, Buffer.from(key));
    done(error, key);
  });
}

Object.assign(crypto, { scrypt: deriveOnce });
syncBuiltinESMExports();
