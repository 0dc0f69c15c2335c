import { WebsiteUserStore } from '../models/website-user.ts';
import { ContentError } from '../schema/content-error.ts';

import type { ShownUser } from './user-view.ts';
import type { Service } from '../../models/store/service.ts';

/** Reads users without what proves who they are. */
export const WITHOUT_SECRETS = { _id: 0, password_hash: 0, application_passwords: 0 } as const;

/**
 * The user that an id names.
 *
 * @param id as it came
 * @throws ContentError `rest_user_invalid_id`
 */
export async function findUser(service: Service, id: unknown): Promise<ShownUser> {
  const number = Number(id);
  const user =
    Number.isSafeInteger(number) && number > 0
      ? await WebsiteUserStore.findOne(service, { id: number }, WITHOUT_SECRETS)
      : null;
  if (!user) throw noUser();
  return user;
}

/** Refusal of an id that names no user. */
export function noUser(): ContentError {
  return new ContentError('rest_user_invalid_id', 'Invalid user ID.', 404);
}
