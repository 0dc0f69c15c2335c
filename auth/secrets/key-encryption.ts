import { hkdfSync } from 'node:crypto';

import { CompactEncrypt, compactDecrypt, type JWK } from 'jose';

import { type Service, perService } from '../../models/store/service.ts';

/** Signing keys that cannot be read. Its message says what to set. */
export class KeyEncryptionError extends Error {
  override readonly name = 'KeyEncryptionError';
}

/** The key by which private keys are encrypted; null if they are stored as they are. */
const encryption = perService(({ settings: { keyEncryptionSecret: secret } }) => ({
  key: secret === null ? null : new Uint8Array(hkdfSync('sha256', secret, '', 'waybridge signing keys', 32)),
}));

/** Returns true if private keys are stored encrypted. */
export function keysAreEncrypted(service: Service): boolean {
  return encryption(service).key !== null;
}

/** Writes a private key as it is stored: AES-256-GCM if there is a secret (RFC 7516, RFC 7518 section 5.3). */
export async function sealKey(service: Service, key: JWK): Promise<string> {
  const text = JSON.stringify(key);
  const { key: encryptionKey } = encryption(service);
  if (encryptionKey === null) return text;
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(encryptionKey);
}

/** Returns true if a stored private key is encrypted. */
export function isSealed(stored: string): boolean {
  return !stored.startsWith('{');
}

/**
 * Reads a stored private key.
 *
 * @throws KeyEncryptionError if the secret is missing or a different one
 */
export async function openKey(service: Service, stored: string): Promise<JWK> {
  if (!isSealed(stored)) return JSON.parse(stored) as JWK;
  const { key: encryptionKey } = encryption(service);
  if (encryptionKey === null) {
    throw new KeyEncryptionError(
      'The signing keys are encrypted; set KEY_ENCRYPTION_SECRET to the secret with which they were created',
    );
  }
  try {
    const { plaintext } = await compactDecrypt(stored, encryptionKey);
    return JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
  } catch (error) {
    throw new KeyEncryptionError(
      'The signing keys were encrypted with another KEY_ENCRYPTION_SECRET; set the old one',
      {
        cause: error,
      },
    );
  }
}
