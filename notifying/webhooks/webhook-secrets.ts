import { randomBytes } from 'node:crypto';

import { Webhook as Signer } from 'standardwebhooks';

import { openKey, sealKey } from '../../auth/secrets/key-encryption.ts';
import type { StoredWebhook } from '../../models/webhooks/webhook.ts';
import type { Service } from '../../models/store/service.ts';

/** Bytes of a secret. Standard Webhooks: 24 to 64. */
const SECRET_BYTES = 32;
/** Time for which a replaced secret also signs, in milliseconds. */
const OVERLAP_MS = 86_400_000;

type Secrets = StoredWebhook['secrets'];

/** A new secret. */
export interface NewWebhookSecret {
  /** As given to receivers: `whsec_` and base64. */
  readonly text: string;
  readonly stored: Secrets[number];
}

/** Makes the secret of a webhook. It is stored in readable form, since each request is signed with it. */
export async function newWebhookSecret(service: Service): Promise<NewWebhookSecret> {
  const bytes = randomBytes(SECRET_BYTES);
  const sealed = await sealKey(service, { kty: 'oct', k: bytes.toString('base64url') });
  return { text: `whsec_${bytes.toString('base64')}`, stored: { sealed, expires: null } };
}

/** The secrets of a webhook after a new one: the previous one signs for another day, older ones no longer do. */
export function rotatedSecrets(secrets: Secrets, made: NewWebhookSecret, now = Date.now()): Secrets {
  const [newest] = secrets;
  return [made.stored, ...(newest ? [{ ...newest, expires: new Date(now + OVERLAP_MS) }] : [])];
}

/** The headers of a request that is signed with each valid secret. Source: the Standard Webhooks specification. */
export async function signedHeaders(
  service: Service,
  secrets: Secrets,
  { id, body, time }: { readonly id: string; readonly body: string; readonly time: Date },
) {
  const held = secrets.filter(({ expires }) => expires === null || expires > time);
  const signatures = held.map(async ({ sealed }) => {
    const { k = '' } = await openKey(service, sealed);
    return new Signer(Buffer.from(k, 'base64url').toString('base64')).sign(id, time, body);
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}
