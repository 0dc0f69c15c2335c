import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { capabilitiesOf, may, ROLES } from '../../../content/access/capabilities.ts';
import type { Caller, WebsiteUser } from '../../../auth/caller.ts';

const SEED = new URL('../../../../shared/conformance/content/seed.json', import.meta.url);

function userWith(role: string, user_id = 1): WebsiteUser {
  return { kind: 'website', user_id, login: role, roles: [role], capabilities: capabilitiesOf([role]) };
}

const visitor: Caller = { kind: 'visitor' };

interface RecordedUser {
  readonly roles: readonly string[];
  readonly capabilities: Readonly<Record<string, boolean>>;
}

test.skipIf(!existsSync(SEED))('each role grants what WordPress 4.9 was recorded to grant (needs ../shared)', () => {
  const { users } = JSON.parse(readFileSync(SEED, 'utf8')) as { readonly users: readonly RecordedUser[] };
  expect(new Set(users.flatMap(({ roles }) => roles))).toEqual(new Set(ROLES));
  for (const { roles, capabilities } of users) {
    expect([...capabilitiesOf(roles), ...roles].sort()).toEqual(Object.keys(capabilities).sort());
  }
});

test('a name that is no role grants nothing', () => {
  expect(capabilitiesOf(['owner', 'constructor', '__proto__'])).toEqual(new Set());
});

describe('a post', () => {
  const mine = { author: 1, type: 'post' };
  const others = { author: 2, type: 'post' };

  test.each([
    // status, whose, who may edit it, who may delete it: the least of the roles that may
    ['draft', mine, 'contributor', 'contributor'],
    ['pending', mine, 'contributor', 'contributor'],
    ['publish', mine, 'author', 'author'],
    ['future', mine, 'author', 'author'],
    ['private', mine, 'contributor', 'contributor'],
    ['draft', others, 'editor', 'editor'],
    ['publish', others, 'editor', 'editor'],
    ['private', others, 'editor', 'editor'],
    ['trash', others, 'editor', 'editor'],
  ] as const)('that is %s %o may be edited from %s, deleted from %s', (status, whose, editing, deleting) => {
    for (const [capability, least] of [
      ['edit_post', editing],
      ['delete_post', deleting],
    ] as const) {
      const allowed = ROLES.filter((role) => may(userWith(role), capability, { ...whose, status }));
      expect(allowed).toEqual(ROLES.slice(0, ROLES.indexOf(least) + 1));
    }
  });

  test('in the trash is as protected from its author as it was before', () => {
    const published = { ...mine, status: 'trash', status_before_trash: 'publish' };
    const draft = { ...mine, status: 'trash', status_before_trash: 'draft' };
    expect(may(userWith('contributor'), 'edit_post', published)).toBe(false);
    expect(may(userWith('contributor'), 'edit_post', draft)).toBe(true);
  });

  test('is read by everybody once it is published', () => {
    expect(may(visitor, 'read_post', { ...others, status: 'publish' })).toBe(true);
  });

  test.each(['draft', 'pending', 'future', 'private', 'trash', 'auto-draft', 'unheard-of'])(
    'that is %s is read by its author and by editors alone',
    (status) => {
      expect(may(visitor, 'read_post', { ...others, status })).toBe(false);
      expect(may(userWith('subscriber', 2), 'read_post', { ...others, status })).toBe(true);
      const strangers = ROLES.filter((role) => may(userWith(role), 'read_post', { ...others, status }));
      expect(strangers).toEqual(['administrator', 'editor']);
    },
  );
});

describe('an attachment', () => {
  const attachment = { author: 2, type: 'attachment', status: 'inherit' };
  const draft = { author: 2, type: 'post', status: 'draft' };

  test('is as readable as the post that it hangs on, and free without one', () => {
    expect(may(visitor, 'read_post', { ...attachment, attached_to: draft })).toBe(false);
    expect(may(visitor, 'read_post', { ...attachment, attached_to: { ...draft, status: 'publish' } })).toBe(true);
    expect(may(visitor, 'read_post', { ...attachment, attached_to: null })).toBe(true);
  });

  test('of which nobody says where it hangs stays closed', () => {
    expect(may(visitor, 'read_post', attachment)).toBe(false);
    expect(may(userWith('author'), 'read_post', attachment)).toBe(false);
  });
});

test('pages have separate capabilities, which authors lack', () => {
  const page = { author: 1, type: 'page', status: 'draft' };
  expect(ROLES.filter((role) => may(userWith(role), 'edit_post', page))).toEqual(['administrator', 'editor']);
});

test('everybody edits the own profile, administrators those of others', () => {
  expect(ROLES.filter((role) => may(userWith(role), 'edit_user', { id: 1 }))).toEqual(ROLES);
  expect(ROLES.filter((role) => may(userWith(role), 'edit_user', { id: 2 }))).toEqual(['administrator']);
  expect(ROLES.filter((role) => may(userWith(role), 'delete_user', { id: 1 }))).toEqual(['administrator']);
  expect(ROLES.filter((role) => may(userWith(role), 'promote_user', { id: 1 }))).toEqual(['administrator']);
});

test('a comment may be changed by whoever may edit its post', () => {
  const post = { author: 2, type: 'post', status: 'publish' };
  expect(may(userWith('author', 2), 'edit_comment', post)).toBe(true);
  expect(may(userWith('author', 1), 'edit_comment', post)).toBe(false);
});

test('the default category is deleted by nobody', () => {
  const term = { taxonomy: 'category' };
  expect(may(userWith('administrator'), 'delete_term', { ...term, is_default: true })).toBe(false);
  expect(may(userWith('editor'), 'delete_term', { ...term, is_default: false })).toBe(true);
});

test('callers of other endpoints have no business here', () => {
  const owner: Caller = { kind: 'owner', account_key: 'a', plan: 'premium' };
  for (const caller of [visitor, owner]) {
    expect(may(caller, 'read')).toBe(false);
    expect(may(caller, 'edit_user', { id: 1 })).toBe(false);
    expect(may(caller, 'edit_post', { author: 0, type: 'post', status: 'draft' })).toBe(false);
  }
});
