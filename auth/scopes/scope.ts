/** Scopes that a user can grant to an app, each in the words of the consent page. */
export const SCOPES = {
  'account.read': 'see the account, its users, devices and groups',
  'account_activity.read': 'see trips: when and where vehicles drove',
  'vehicles.read': 'see the vehicles',
  'user.read': 'see your name and e-mail address',
  'account.manage': 'change the account, its groups and who is in them',
  'devices.manage': "change devices' subscriptions",
  'billing.read': 'see subscriptions and billing details',
  'trippoints.read': 'see each recorded position of a trip',
  'vehicles.manage': 'change the vehicles',
  'account_activity.manage':
    'tag trips, set their drivers, share vehicles and trips by links, and receive events as they happen',
  'user.manage': 'change the users of the account and what they may do',
  'places.read': 'see places and when vehicles visited them',
  'places.manage': 'change places',
} as const;

/** One of {@link SCOPES}. */
export type Scope = keyof typeof SCOPES;

/** Scopes of every app: read only. The operator adds others on approval. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  'account.read',
  'account_activity.read',
  'vehicles.read',
  'user.read',
  'places.read',
];

/** Returns true if a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
