import { isSignature, signatureOf } from './signed.ts';
import type { Service } from '../../../models/store/service.ts';

/** Age of a token that a form sends back: `early` if no person is so quick. */
export type TokenAge = 'early' | 'good' | 'expired';

/** Least time between a form and its answer, in milliseconds. */
const MIN_AGE = 3000;
/** Time after which a form must be loaded again, in milliseconds. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Makes the token of a comment form: the time at which it is shown, signed for its item. */
export async function newFormToken(service: Service, item: number, now = Date.now()): Promise<string> {
  const time = now.toString(36);
  return `${time}.${await signatureOf(service, textOf(item, time))}`;
}

/** Reads the age of a token; one of another item, or of nobody, is taken for an expired one. */
export async function ageOfToken(service: Service, token: string, item: number, now = Date.now()): Promise<TokenAge> {
  const [time = '', signature = ''] = token.split('.', 2);
  if (!(await isSignature(service, signature, textOf(item, time)))) return 'expired';
  const age = now - Number.parseInt(time, 36);
  if (age > MAX_AGE) return 'expired';
  return age < MIN_AGE ? 'early' : 'good';
}

function textOf(item: number, time: string): string {
  return `comment form ${item} ${time}`;
}
