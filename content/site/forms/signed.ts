import { createHmac, timingSafeEqual } from 'node:crypto';

import { serviceSecret } from '../../../models/service-secret.ts';
import type { Service } from '../../../models/store/service.ts';

/** Signs a text with the website's secret (HMAC-SHA-256, base64url). */
export async function signatureOf(service: Service, text: string): Promise<string> {
  return createHmac('sha256', await serviceSecret(service, 'forms'))
    .update(text)
    .digest('base64url');
}

/** Returns true if a signature is that of a text, in a time that does not tell where they differ. */
export async function isSignature(service: Service, presented: string, text: string): Promise<boolean> {
  const [one, other] = [Buffer.from(presented), Buffer.from(await signatureOf(service, text))];
  return one.length === other.length && timingSafeEqual(one, other);
}
