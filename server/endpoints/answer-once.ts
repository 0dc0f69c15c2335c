import { hkdfSync } from 'node:crypto';

import { CompactEncrypt, compactDecrypt } from 'jose';

import { hashSecret } from '../../auth/secrets/secrets.ts';
import { atChangeTime } from '../../models/change-time.ts';
import { IdempotentAnswerStore } from '../../models/account/idempotent-answer.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { readPermissionStamp } from '../../models/store/permission-stamp.ts';
import { hasTransactions, inTransaction } from '../../models/store/transaction.ts';
import { isLeaseOver } from '../../models/leases/is-lease-over.ts';
import { newHolder } from '../../models/leases/lease-holder.ts';
import type { RestAnswer } from '../../http/answers/error-response.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import type { Service } from '../../models/store/service.ts';

/** Time for which the first answer is repeated, in milliseconds. */
const REPEATED_FOR_MS = 86_400_000;
/**
 * Time after which a request without an answer counts as given up, in milliseconds. A kill of its process is known
 * immediately only on the same machine.
 */
const BUSY_FOR_MS = 60_000;
/** Printable ASCII: the characters of a structured header's string (RFC 8941, section 3.3.3). */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A request that is executed once, however often it is sent. */
export interface OnceRequest {
  /** The credential as sent: each has its own keys. */
  readonly credential: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** Everything that identifies the request: method, path, body, and access scope. */
  readonly facts: readonly unknown[];
  /** True if the change is made in steps, which are completed by repeating them; otherwise it is stored with the answer. */
  readonly isRepeatable: boolean;
  /** Throws unless the request may change the record as it is; not called again for an interrupted change. */
  readonly precondition: () => Promise<void>;
}

/**
 * Executes a request with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header): a client that sends it again
 * within 24 hours gets the first answer, on every server. A fault of the service does not count as an answer, so the request
 * can be retried.
 *
 * A change and its answer are stored together: a kill leaves both or neither, and the request can be sent again once its
 * process is known to have ended. Without transactions, as on a single MongoDB server, a kill between the two, or a change
 * that is repeatable, makes the next request execute the change again.
 *
 * @throws ServiceError BAD_REQUEST for a malformed key; CONFLICT while the first is under way; UNPROCESSABLE if the key
 * belongs to another request
 */
export async function answerOnce(
  service: Service,
  request: OnceRequest,
  work: () => Promise<RestAnswer>,
): Promise<RestAnswer> {
  const { credential, key, facts } = request;
  if (!KEY.test(key)) throw new ServiceError('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 printable characters');
  const id_hash = hashSecret(JSON.stringify([credential, key]));
  const fingerprint = hashSecret(JSON.stringify(facts));
  const { holder, begun, first, is_met } = await begin(service, id_hash, fingerprint);
  if (first !== null) return open(first, request);
  const mine = { id_hash, holder, sealed: null };
  const store = async (answer: RestAnswer) => {
    const sealed = await seal(answer, request);
    const { matchedCount } = await IdempotentAnswerStore.updateOne(service, mine, { sealed });
    if (matchedCount === 0) throw underWay();
  };
  try {
    const isTogether = !request.isRepeatable && (await hasTransactions(service));
    const execute = () =>
      atChangeTime(begun, async () => {
        if (!is_met) await request.precondition();
        // A change that is stored with its answer needs no record: a kill leaves nothing of it.
        if (!is_met && !isTogether) await IdempotentAnswerStore.updateOne(service, mine, { is_met: true });
        return work();
      });
    const answer = await (isTogether ? changedTogether(service, () => storing(execute, store)) : execute());
    if (isFault(answer)) await IdempotentAnswerStore.deleteOne(service, mine);
    else if (!isTogether || !isChange(answer)) await store(answer);
    return answer;
  } catch (error) {
    await IdempotentAnswerStore.deleteOne(service, mine);
    throw error;
  }
}

/**
 * Runs work while no other request runs work of the same name, on any server. A killed process blocks others as long as one
 * with an `Idempotency-Key` does.
 *
 * @throws ServiceError CONFLICT if another is under way
 */
export async function oneAtATime(
  service: Service,
  name: readonly string[],
  work: () => Promise<RestAnswer>,
): Promise<RestAnswer> {
  const id_hash = hashSecret(JSON.stringify(['one at a time', ...name]));
  const { holder } = await begin(service, id_hash, id_hash);
  try {
    return await work();
  } finally {
    await IdempotentAnswerStore.deleteOne(service, { id_hash, holder });
  }
}

/** Runs work in a transaction, which stores all of its changes, or none if the answer is a rejection. */
export function changedTogether(service: Service, work: () => Promise<RestAnswer>): Promise<RestAnswer> {
  const inOrder = async () => {
    // The work may send queries in parallel: this one begins the transaction.
    await readPermissionStamp(service);
    return work();
  };
  return inTransaction(service, inOrder, isChange);
}

/** Executes a request, and stores its answer beside the change, if it has made one. */
async function storing(work: () => Promise<RestAnswer>, store: (answer: RestAnswer) => Promise<void>) {
  const answer = await work();
  if (isChange(answer)) await store(answer);
  return answer;
}

/** Returns true if an answer shows that the request changed something; a rejection did not. */
function isChange({ status }: RestAnswer): boolean {
  return status < 400;
}

/** Returns true if an answer must not be stored, since the same request may succeed later. */
function isFault({ status }: RestAnswer): boolean {
  return status === HTTP_STATUS.TOO_MANY_REQUESTS || status >= 500;
}

/** A request that this process executes, or that already has a sealed answer. */
interface Claim {
  readonly holder: string;
  /** When it was first executed. */
  readonly begun: Date;
  readonly first: string | null;
  /** True if its precondition was met at an earlier execution. */
  readonly is_met: boolean;
}

/** Claims a request for execution unless it has an answer. */
async function begin(service: Service, id_hash: string, fingerprint: string): Promise<Claim> {
  const now = Date.now();
  const begun = new Date(now);
  const holder = newHolder();
  const mine = { holder, busy_until: new Date(now + BUSY_FOR_MS) };
  const claim = { id_hash, fingerprint, ...mine, begun, sealed: null, expires_at: new Date(now + REPEATED_FOR_MS) };
  if (await insertIfAbsent(() => IdempotentAnswerStore.create(service, claim)))
    return { holder, begun, first: null, is_met: false };
  const found = await IdempotentAnswerStore.findOne(service, { id_hash });
  if (found && found.fingerprint !== fingerprint) {
    throw new ServiceError('UNPROCESSABLE', 'Idempotency-Key was sent with another request');
  }
  if (!found) throw underWay();
  const first = { holder, begun: found.begun ?? begun, first: found.sealed, is_met: found.is_met ?? false };
  if (found.sealed) return first;
  const isGivenUp = isLeaseOver(found.holder, found.busy_until, now, BUSY_FOR_MS);
  const asFound = { id_hash, holder: found.holder, busy_until: found.busy_until, sealed: null };
  if (isGivenUp && (await IdempotentAnswerStore.updateOne(service, asFound, mine)).matchedCount > 0) return first;
  throw underWay();
}

function underWay(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'The first request with this Idempotency-Key, or another with If-Match, is in progress',
  );
}

/** A key derived from secrets of the client, so that stored answers, which may contain a secret, are useless to a thief. */
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
