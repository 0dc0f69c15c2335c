import { hkdfSync } from 'node:crypto';

import { CompactEncrypt, compactDecrypt } from 'jose';

import { hashSecret } from '../../auth/secrets.ts';
import { IdempotentAnswerModel } from '../../models/account/idempotent-answer.ts';
import { insertIfAbsent } from '../../models/duplicate-key.ts';
import type { RestAnswer } from '../../http/answers/error-response.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** Time for which the first answer is repeated, in milliseconds. */
const REPEATED_FOR_MS = 86_400_000;
/** Time after which a request that has no answer counts as given up, as by a kill, in milliseconds. */
const BUSY_FOR_MS = 60_000;
/** Printable ASCII: the characters of a structured header's string (RFC 8941, section 3.3.3). */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A request that is executed once, however often it is sent. */
export interface OnceRequest {
  /** The credential as it was sent: another one has keys of its own. */
  readonly credential: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** All that makes it this request: method, path, body, and what the caller may reach. */
  readonly facts: readonly unknown[];
}

/**
 * Executes a request with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header): whoever sends it again
 * within 24 hours gets the first answer, on every server. A fault of the service is no answer, so that it can be tried again;
 * so can a request whose process was killed, a minute later.
 *
 * @throws ServiceError BAD_REQUEST for a malformed key; CONFLICT while the first is under way; UNPROCESSABLE where the key
 * belongs to another request
 */
export async function answerOnce(request: OnceRequest, work: () => Promise<RestAnswer>): Promise<RestAnswer> {
  const { credential, key, facts } = request;
  if (!KEY.test(key)) throw new ServiceError('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 printable characters');
  const id_hash = hashSecret(JSON.stringify([credential, key]));
  const fingerprint = hashSecret(JSON.stringify(facts));
  const first = await begin(id_hash, fingerprint);
  if (first !== null) return open(first, request);
  try {
    const answer = await work();
    const sealed = await seal(answer, request);
    await IdempotentAnswerModel.updateOne({ id_hash, fingerprint }, { sealed });
    return answer;
  } catch (error) {
    await IdempotentAnswerModel.deleteOne({ id_hash, sealed: null });
    throw error;
  }
}

/** Claims a request for execution, and returns null, or its sealed answer where it has one. */
async function begin(id_hash: string, fingerprint: string): Promise<string | null> {
  const now = Date.now();
  const busy_until = new Date(now + BUSY_FOR_MS);
  const claim = { id_hash, fingerprint, busy_until, sealed: null, expires_at: new Date(now + REPEATED_FOR_MS) };
  if (await insertIfAbsent(() => IdempotentAnswerModel.create([claim]))) return null;
  const found = await IdempotentAnswerModel.findOne({ id_hash }).lean();
  if (found && found.fingerprint !== fingerprint) {
    throw new ServiceError('UNPROCESSABLE', 'Idempotency-Key was sent with another request');
  }
  if (found?.sealed) return found.sealed;
  const given_up = { id_hash, sealed: null, busy_until: { $lte: new Date(now) } };
  if ((await IdempotentAnswerModel.updateOne(given_up, { busy_until })).matchedCount > 0) return null;
  throw new ServiceError('CONFLICT', 'The first request with this Idempotency-Key is under way');
}

/** A key from what only the client has, so that stored answers, which may hold a secret, are of no use to a thief. */
function sealingKey({ credential, key }: OnceRequest): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', credential, key, 'waybridge idempotent answers', 32));
}

function seal(answer: RestAnswer, request: OnceRequest): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(answer)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(sealingKey(request));
}

async function open(sealed: string, request: OnceRequest): Promise<RestAnswer> {
  const { plaintext } = await compactDecrypt(sealed, sealingKey(request));
  return JSON.parse(new TextDecoder().decode(plaintext)) as RestAnswer;
}
