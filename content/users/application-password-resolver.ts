import { newApplicationPassword } from '../access/application-passwords.ts';
import { may } from '../access/capabilities.ts';
import { type ContentContext, reject, userIdOf } from '../access/content-context.ts';
import { type PermissionCheck, type RawArguments, rootField, type RootFields } from '../access/root-field.ts';
import { type ApplicationPassword as Stored, WebsiteUserStore } from '../models/website-user.ts';
import { listOf } from '../schema/content-field.ts';
import { ContentError } from '../schema/content-error.ts';
import {
  ApplicationPassword,
  NewApplicationPassword,
  PASSWORD_CREATE,
  PASSWORD_DELETE,
  PASSWORD_LIST,
  PASSWORD_READ,
  PASSWORD_WRITE,
  PASSWORDS_DELETE,
  RevokedPasswords,
} from '../schema/records/application-password.ts';

import { findUser } from './user-view.ts';

/** Maximum number of passwords of a user. */
const MAX_PASSWORDS = 100;

/** Passwords of users for programs, `/wp/v2/users/{user_id}/application-passwords`. Rules: WordPress 5.6. */
export const applicationPasswordResolver: RootFields = {
  queries: {
    applicationPasswords: rootField(
      'The passwords of a user for programs, without themselves.',
      { returns: listOf(ApplicationPassword), takes: PASSWORD_LIST, permitted: permittedTo('list', true) },
      async ({ user_id }, context) => {
        const user = await userAt(user_id, context);
        return (await passwordsOf(user, context)).map((password) => view(password, user));
      },
    ),
    applicationPassword: rootField(
      'A password of a user for a program, without itself.',
      { returns: ApplicationPassword, takes: PASSWORD_READ, permitted: permittedTo('read', false) },
      async (args, context) => findPassword(args, context),
    ),
  },
  mutations: {
    createApplicationPassword: rootField(
      'Adds a password of a user for a program, and shows it once.',
      { returns: NewApplicationPassword, takes: PASSWORD_CREATE, permitted: permittedTo('create', true) },
      async ({ user_id, name, app_id = '' }, context) => {
        const id = await userAt(user_id, context);
        if ((await passwordsOf(id, context)).length >= MAX_PASSWORDS) throw tooMany();
        const { password, stored } = newApplicationPassword({ name, app_id });
        const free = { id, 'application_passwords.name': { $ne: name } };
        const push = { $push: { application_passwords: stored } };
        const { matchedCount } = await WebsiteUserStore.updateOne(context.service, free, push);
        if (matchedCount === 0) throw duplicateName();
        return { ...view(stored, id), password: password.replace(/(?<=^(?:.{4})+)(?=.)/g, ' ') };
      },
    ),
    updateApplicationPassword: rootField(
      'Changes the name of a password of a user.',
      { returns: ApplicationPassword, takes: PASSWORD_WRITE, permitted: permittedTo('edit', false) },
      async (args, context) => {
        const { user: id, ...found } = await findPassword(args, context);
        const { name = found.name, app_id = found.app_id } = args;
        const others = { $elemMatch: { uuid: { $ne: found.uuid }, name } };
        const { matchedCount } = await WebsiteUserStore.updateOne(
          context.service,
          { id, $nor: [{ application_passwords: others }], 'application_passwords.uuid': found.uuid },
          { $set: { 'application_passwords.$.name': name, 'application_passwords.$.app_id': app_id } },
        );
        if (matchedCount === 0) throw duplicateName();
        return { ...found, user: id, name, app_id };
      },
    ),
    deleteApplicationPassword: rootField(
      'Revokes a password of a user.',
      { returns: ApplicationPassword, takes: PASSWORD_DELETE, permitted: permittedTo('delete', false) },
      async (args, context) => {
        const found = await findPassword(args, context);
        const pull = { $pull: { application_passwords: { uuid: found.uuid } } };
        await WebsiteUserStore.updateOne(context.service, { id: found.user }, pull);
        return found;
      },
    ),
    deleteApplicationPasswords: rootField(
      'Revokes all passwords of a user.',
      { returns: RevokedPasswords, takes: PASSWORDS_DELETE, permitted: permittedTo('delete', true) },
      async ({ user_id }, context) => {
        const id = await userAt(user_id, context);
        const { length } = await passwordsOf(id, context);
        await WebsiteUserStore.updateOne(context.service, { id }, { $set: { application_passwords: [] } });
        return { deleted: true, count: length };
      },
    ),
  },
};

/** Passwords of a user are for this user, and for those who may edit the user. `areAll`: the check is not about one of them. */
function permittedTo(action: 'list' | 'read' | 'create' | 'edit' | 'delete', areAll: boolean): PermissionCheck {
  const code = `rest_cannot_${action}_application_password${areAll ? 's' : ''}`;
  const what = areAll ? 'application passwords for this user' : 'this application password';
  return async ({ user_id }, context) => {
    const id = await userAt(user_id, context);
    if (!may(context.caller, 'edit_user', { id })) {
      reject(code, `Sorry, you are not allowed to ${action} ${what}.`, context);
    }
  };
}

/** The number of the user whom a path names. */
async function userAt(user_id: unknown, context: ContentContext): Promise<number> {
  if (user_id !== 'me') return (await findUser(context.service, user_id)).id;
  const id = userIdOf(context);
  if (id === 0) throw new ContentError('rest_not_logged_in', 'You are not currently logged in.', 401);
  return id;
}

async function passwordsOf(id: number, { service }: ContentContext): Promise<readonly Stored[]> {
  return (await WebsiteUserStore.findOne(service, { id }, { application_passwords: 1 }))?.application_passwords ?? [];
}

async function findPassword({ user_id, uuid }: RawArguments, context: ContentContext) {
  const user = await userAt(user_id, context);
  const found = (await passwordsOf(user, context)).find((password) => password.uuid === uuid);
  if (found) return view(found, user);
  throw new ContentError('rest_application_password_not_found', 'Application password not found.', 404);
}

function view(
  { uuid, name = '', app_id = '', created }: Partial<Stored> & Pick<Stored, 'uuid' | 'created'>,
  user: number,
) {
  return { uuid, name, app_id, created: created.toISOString().slice(0, 19), user };
}

function duplicateName(): ContentError {
  return new ContentError('application_password_duplicate_name', 'Each application name should be unique.', 409);
}

function tooMany(): ContentError {
  const message = `A user can have at most ${MAX_PASSWORDS} application passwords; delete one first.`;
  return new ContentError('rest_too_many_application_passwords', message, 400);
}
