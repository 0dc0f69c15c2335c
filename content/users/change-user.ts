import { hashPassword } from '../../auth/secrets/passwords.ts';
import { capabilitiesOf, isRole, type Role } from '../access/capabilities.ts';
import { changeVersioned } from '../models/versions.ts';
import { foldName, WebsiteUserStore } from '../models/website-user.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import type { USER_WRITE } from '../schema/parameters/website-user-parameters.ts';
import { type Asking, userIdOf, reject } from '../access/content-context.ts';
import { slugOf } from '../rendering/slug.ts';

import { freeSlug, isEmailTaken, wantedSlug, profileOf } from './insert-user.ts';
import { type ShownUser, findUser } from './user-view.ts';
import type { Service } from '../../models/store/service.ts';

/** Arguments of a change of a user; omitted fields stay unchanged. */
export type UserWriteArguments = Partial<ParametersOf<typeof USER_WRITE>>;

/**
 * Changes a user. An empty list of roles removes all of them. If another request changes the user, or takes the address
 * or slug meanwhile, the change is computed again.
 *
 * @throws ContentError if the e-mail address or slug is taken, the login would change, or a role cannot be given
 */
export async function changeUser(service: Service, args: UserWriteArguments, context: Asking): Promise<ShownUser> {
  const password_hash = args.password ? await hashPassword(args.password) : undefined;
  const change = async (user: ShownUser) => ({
    ...(await changedUser(service, user, args, context)),
    ...(password_hash === undefined ? {} : { password_hash }),
  });
  const find = () => findUser(service, args.id);
  return changeVersioned(service, WebsiteUserStore, find, change, 'email_folded', 'slug');
}

async function changedUser(
  service: Service,
  user: ShownUser,
  args: UserWriteArguments,
  context: Asking,
): Promise<ShownUser> {
  await rejectChange(service, user, args);
  const roles = args.roles === undefined ? undefined : grantableRoles(args.roles, user.id, context);
  const email = args.email ?? user.email;
  return {
    ...user,
    ...profileOf(user.username, args, user),
    email,
    email_folded: foldName(email),
    ...(args.slug === undefined
      ? {}
      : { slug: await freeSlug(service, wantedSlug(args.slug, user.username), user.id) }),
    ...(roles ? { roles } : {}),
  };
}

/**
 * The roles in a request, after checking that each may be assigned.
 *
 * @param userId user who gets them, 0 for a new user; users cannot give themselves roles without the right to change users
 * @throws ContentError `rest_user_invalid_role`
 */
export function grantableRoles(names: readonly string[], userId: number, context: Asking): readonly Role[] {
  return names.map((name) => {
    if (!isRole(name)) throw new ContentError('rest_user_invalid_role', `The role ${name} does not exist.`, 400);
    if (userId === userIdOf(context) && !capabilitiesOf([name]).has('edit_users')) {
      reject('rest_user_invalid_role', 'Sorry, you are not allowed to give users that role.', context);
    }
    return name;
  });
}

async function rejectChange(
  service: Service,
  user: ShownUser,
  { email, username, slug }: UserWriteArguments,
): Promise<void> {
  if (email !== undefined && email !== user.email) {
    const isOwnInOtherCase = foldName(email) === user.email_folded;
    if (isOwnInOtherCase || (await isEmailTaken(service, email, user.id))) {
      throw new ContentError('rest_user_invalid_email', 'Invalid email address.', 400);
    }
  }
  if (username && username !== user.username) {
    throw new ContentError('rest_user_invalid_argument', "Username isn't editable.", 400);
  }
  const requested = slug ? slugOf(slug) : '';
  if (
    requested !== '' &&
    requested !== user.slug &&
    (await WebsiteUserStore.exists(service, { slug: requested })) !== null
  ) {
    throw new ContentError('rest_user_invalid_slug', 'Invalid slug.', 400);
  }
}
