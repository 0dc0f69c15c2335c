import { createHmac } from 'node:crypto';

import { serviceSecret } from '../../models/service-secret.ts';
import type { Service } from '../../models/store/service.ts';
import { hashSecret, isSecret } from '../../auth/secrets/secrets.ts';

/** Signs a text with the website's secret (HMAC-SHA-256, base64url). */
export async function signatureOf(service: Service, text: string): Promise<string> {
  return createHmac('sha256', await serviceSecret(service, 'forms'))
    .update(text)
    .digest('base64url');
}

/** Returns true if a signature is valid for a text, in a time that does not reveal where they differ. */
export async function isSignature(service: Service, presented: string, text: string): Promise<boolean> {
  return isSecret(presented, hashSecret(await signatureOf(service, text)));
}
