import { REDEEM_SHARE_MUTATION } from '../../schema/trips/trips-query.ts';
import { AuthError } from './load-failure.ts';
import { askService } from './service-request.ts';

/** A token for a share, with what it opens. */
export interface RedeemedShare {
  readonly token: string;
  /** null if several vehicles are shown. */
  readonly vehicle_key: string | null;
  readonly trip_key: string | null;
}

/**
 * Gets a token for a share that pages of this origin may embed.
 *
 * @throws AuthError if they may not, or the share has ended; ApiError for any other failure
 */
export async function redeemShare(serviceUrl: string, secret: string): Promise<RedeemedShare> {
  const operation = { query: REDEEM_SHARE_MUTATION, variables: { secret } };
  const { signal } = new AbortController();
  const answer = await askService<{ readonly redeemShare?: RedeemedShare }>(
    { serviceUrl, token: null },
    operation,
    signal,
  );
  if (!answer?.redeemShare) throw new AuthError('The share has ended', { signInHelps: false });
  return answer.redeemShare;
}
