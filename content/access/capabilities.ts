import type { Caller } from '../../auth/caller.ts';
import type { ServiceSettings } from '../../models/store/service.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';

/** Capabilities of subscribers, and of all higher roles. Source: the roles of WordPress 4.9. */
const SUBSCRIBER = ['read', 'level_0'] as const;

const CONTRIBUTOR = ['edit_posts', 'read', 'level_1', 'level_0', 'delete_posts'] as const;

const AUTHOR = [
  'upload_files',
  'edit_posts',
  'edit_published_posts',
  'publish_posts',
  'read',
  'level_2',
  'level_1',
  'level_0',
  'delete_posts',
  'delete_published_posts',
] as const;

const EDITOR = [
  'moderate_comments',
  'manage_categories',
  'manage_links',
  'upload_files',
  'unfiltered_html',
  'edit_posts',
  'edit_others_posts',
  'edit_published_posts',
  'publish_posts',
  'edit_pages',
  'read',
  'level_7',
  'level_6',
  'level_5',
  'level_4',
  'level_3',
  'level_2',
  'level_1',
  'level_0',
  'edit_others_pages',
  'edit_published_pages',
  'publish_pages',
  'delete_pages',
  'delete_others_pages',
  'delete_published_pages',
  'delete_posts',
  'delete_others_posts',
  'delete_published_posts',
  'delete_private_posts',
  'edit_private_posts',
  'read_private_posts',
  'delete_private_pages',
  'edit_private_pages',
  'read_private_pages',
] as const;

const ADMINISTRATOR = [
  'switch_themes',
  'edit_themes',
  'activate_plugins',
  'edit_plugins',
  'edit_users',
  'edit_files',
  'manage_options',
  'import',
  ...EDITOR,
  'level_10',
  'level_9',
  'level_8',
  'delete_users',
  'create_users',
  'unfiltered_upload',
  'edit_dashboard',
  'update_plugins',
  'delete_plugins',
  'install_plugins',
  'update_themes',
  'install_themes',
  'update_core',
  'list_users',
  'remove_users',
  'promote_users',
  'edit_theme_options',
  'delete_themes',
  'export',
] as const;

/** The five roles of website users, the most powerful first, and what each may do. */
const CAPABILITIES = {
  administrator: ADMINISTRATOR,
  editor: EDITOR,
  author: AUTHOR,
  contributor: CONTRIBUTOR,
  subscriber: SUBSCRIBER,
} as const satisfies Record<string, readonly string[]>;

/** A role of a website user. */
export type Role = keyof typeof CAPABILITIES;

/** The roles, the most powerful first. */
export const ROLES = Object.keys(CAPABILITIES) as readonly Role[];

/** A capability that a role grants regardless of the object. */
export type Capability = (typeof ADMINISTRATOR)[number];

/** A post, page or attachment as far as its protection goes; for a revision, pass the post it belongs to. */
export interface PostSubject {
  readonly type: string;
  readonly status: string;
  /** Id of the user who wrote it. */
  readonly author: number;
  /** Of one in the trash: the status that it had before. */
  readonly status_before_trash?: string | null | undefined;
  /**
   * Of one with the status `inherit`: the post that it is attached to, null if there is none. If omitted, no one may read it by
   * inheritance.
   */
  readonly attached_to?: PostSubject | null | undefined;
}

/** Capabilities that concern one object, each with the facts about that object which decide it. */
interface Subjects {
  readonly read_post: PostSubject;
  readonly edit_post: PostSubject;
  readonly delete_post: PostSubject;
  readonly edit_user: { readonly id: number };
  readonly delete_user: { readonly id: number };
  readonly promote_user: { readonly id: number };
  /** The post of the comment, null if there is none. */
  readonly edit_comment: PostSubject | null;
  readonly edit_term: { readonly taxonomy: string };
  /** `is_default`: true if it is the category of posts that name none. */
  readonly delete_term: { readonly taxonomy: string; readonly is_default: boolean };
  readonly assign_term: { readonly taxonomy: string };
}

/** Returns true if a name is that of a role. */
export function isRole(name: string): name is Role {
  return Object.hasOwn(CAPABILITIES, name);
}

/**
 * Returns the capabilities that roles grant; unknown names grant nothing. On the local network, where the website has the host of
 * the sign-in pages, no role may write unfiltered HTML.
 */
export function capabilitiesOf(
  roles: readonly string[],
  { lan }: Pick<ServiceSettings, 'lan'> = { lan: null },
): ReadonlySet<Capability> {
  const granted = roles.filter(isRole).flatMap((role): readonly Capability[] => CAPABILITIES[role]);
  return new Set(lan === null ? granted : granted.filter((name) => name !== 'unfiltered_html'));
}

/**
 * Decides whether a caller may do something to the website's content: the only place for this, as WordPress maps its
 * meta capabilities. Callers other than website users may read published content, and nothing else.
 */
export function may(caller: Caller, capability: Capability): boolean;
export function may<C extends keyof Subjects>(caller: Caller, capability: C, subject: Subjects[C]): boolean;
export function may(caller: Caller, capability: Capability | keyof Subjects, subject?: unknown): boolean {
  if (capability === 'read_post') return mayRead(caller, subject as PostSubject);
  if (caller.kind !== 'website') return false;
  const needed = isOfObject(capability) ? NEEDED[capability](subject as never, caller.user_id) : [capability];
  return needed?.every((name) => caller.capabilities.has(name)) ?? false;
}

/** The capabilities that an action on an object requires, all of them; null if no one may do it. */
const NEEDED: {
  readonly [C in Exclude<keyof Subjects, 'read_post'>]: (
    subject: Subjects[C],
    userId: number,
  ) => readonly Capability[] | null;
} = {
  edit_post: (post, userId) => toChange('edit', post, userId),
  delete_post: (post, userId) => toChange('delete', post, userId),
  edit_user: ({ id }, userId) => (id === userId ? [] : ['edit_users']),
  delete_user: () => ['delete_users'],
  promote_user: () => ['promote_users'],
  edit_comment: (post, userId) => (post === null ? ['edit_posts'] : toChange('edit', post, userId)),
  edit_term: () => ['manage_categories'],
  delete_term: ({ is_default }) => (is_default ? null : ['manage_categories']),
  assign_term: () => ['edit_posts'],
};

function isOfObject(capability: string): capability is keyof typeof NEEDED {
  return Object.hasOwn(NEEDED, capability);
}

/**
 * Everyone may read published items and what is attached to them. Other items are for their authors and users with
 * the capability.
 */
function mayRead(caller: Caller, post: PostSubject): boolean {
  if (post.status === 'publish') return true;
  if (post.status === 'inherit' && post.attached_to !== undefined) {
    if (post.attached_to === null || mayRead(caller, post.attached_to)) return true;
  }
  if (caller.kind !== 'website') return false;
  if (post.author === caller.user_id) return caller.capabilities.has('read');
  return post.status === 'private'
    ? caller.capabilities.has(`read_private_${nounOf(post)}`)
    : may(caller, 'edit_post', post);
}

function toChange(verb: 'edit' | 'delete', post: PostSubject, userId: number): readonly Capability[] {
  const noun = nounOf(post);
  const isOwn = post.author === userId;
  const status = isOwn && post.status === 'trash' ? post.status_before_trash : post.status;
  const isPublished = status === 'publish' || status === 'future';
  if (isOwn) return isPublished ? [`${verb}_published_${noun}`] : [`${verb}_${noun}`];
  const others: Capability = `${verb}_others_${noun}`;
  if (isPublished) return [others, `${verb}_published_${noun}`];
  return status === 'private' ? [others, `${verb}_private_${noun}`] : [others];
}

function nounOf({ type }: PostSubject): 'pages' | 'posts' {
  return kindOf(type)?.noun ?? 'posts';
}
