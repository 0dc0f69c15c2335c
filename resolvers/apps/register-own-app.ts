import { AppRegistrationCountModel } from '../../models/account/app-registration-count.ts';
import { isDuplicateKey } from '../../models/duplicate-key.ts';
import type { AppCredentials } from '../../schema/account/app.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { type AppRequest, registerApp } from './register-app.ts';

/** Maximum apps that an account may try to register in an hour of the clock. */
export const MAX_REGISTRATIONS = 30;

const HOUR_MS = 3_600_000;

/**
 * Registers an app for an account's own people, who are limited, unlike the operator.
 * @throws ServiceError TOO_MANY_REQUESTS after {@link MAX_REGISTRATIONS} in an hour; BAD_REQUEST naming the parameter
 */
export async function registerOwnApp(request: AppRequest, now: Date = new Date()): Promise<AppCredentials> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  if ((await countRegistration(request.account, hour)) > MAX_REGISTRATIONS) {
    const minutes = Math.ceil((hour.getTime() + HOUR_MS - now.getTime()) / 60_000);
    throw new ServiceError(
      'TOO_MANY_REQUESTS',
      `At most ${MAX_REGISTRATIONS} apps can be registered in an hour; try again in ${minutes} minutes`,
    );
  }
  return registerApp(request);
}

/** Counts a registration before it is looked at, so that many at once are counted as well. */
async function countRegistration(account_key: string, hour: Date): Promise<number> {
  const counted = {
    $inc: { count: 1 },
    $setOnInsert: { expires_at: new Date(hour.getTime() + 2 * HOUR_MS) },
  };
  for (;;) {
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const found = await AppRegistrationCountModel.findOneAndUpdate({ account_key, hour }, counted, options).lean();
      return found?.count ?? 1;
    } catch (error) {
      // Of two who insert at once, the other was quicker.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
