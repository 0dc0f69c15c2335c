/** A page of a signed-in user. */
export interface SignedInPage {
  /** Path below `{auth_url}`; pages whose paths begin with the same word share their sign-in and actions. */
  readonly path: string;
  /** Text of the sign-in form after "Sign in". */
  readonly lead: string;
  /** Purpose of the page, shown below the sign-in form. */
  readonly purpose: string;
  /** Path of a picture of 20 by 20 units, with which the navigation lists the page; absent if it does not. */
  readonly icon?: string;
  /** Name of the page of the navigation to which this one belongs. */
  readonly within?: string;
}

const CONSOLE = {
  lead: 'to your vehicles',
  purpose: 'The console shows the vehicles of your account, their trips and places, and with whom they are shared.',
};

function consolePage(name: string, icon: string): SignedInPage {
  return { path: `console/${name}`, ...CONSOLE, icon };
}

/**
 * The pages of a signed-in user by their names, in the order of the navigation. Their titles are `pages` of
 * `pages/console/texts/en.ts`. Those below `console` are drawn by the file of `pages/console/views` of the same name.
 */
export const SIGNED_IN_PAGES = {
  vehicles: {
    path: 'console',
    ...CONSOLE,
    icon: 'M3 12.5V8l2-3.5h7L14.5 8H17v4.5M3 12.5h2m3 0h4.5M17 12.5h-1M5 8h9M6.5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM14 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  },
  'add-vehicle': { path: 'console/add-vehicle', ...CONSOLE, within: 'vehicles' },
  vehicle: { path: 'console/vehicle', ...CONSOLE, within: 'vehicles' },
  trip: { path: 'console/trip', ...CONSOLE, within: 'vehicles' },
  devices: consolePage('devices', 'M4 3.5h12v9H4ZM8 16.5h4M10 12.5v4M7 8h.01M10 8h3'),
  places: consolePage(
    'places',
    'M10 17.5s5.5-4.6 5.5-9a5.5 5.5 0 0 0-11 0c0 4.4 5.5 9 5.5 9ZM10 10.25a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  ),
  rules: consolePage('rules', 'M5.5 8.5a4.5 4.5 0 0 1 9 0c0 4 1.5 5 1.5 5H4s1.5-1 1.5-5ZM8.5 16.5h3'),
  sharing: consolePage(
    'sharing',
    'M6 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM14 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM14 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.75 9l4.5-3M7.75 11l4.5 3',
  ),
  people: consolePage(
    'people',
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 16.5c0-3 2.2-4.5 5-4.5s5 1.5 5 4.5M13 9.5a2.5 2.5 0 1 0-1-4.8M14.5 12.5c1.9.5 3 1.9 3 4',
  ),
  groups: { path: 'console/groups', ...CONSOLE, within: 'people' },
  keys: consolePage('keys', 'M7 13.5a3.5 3.5 0 1 1 3.3-4.7H17v3h-2v2h-2.5v-2h-2.2A3.5 3.5 0 0 1 7 13.5ZM7 10h.01'),
  webhooks: consolePage('webhooks', 'M11 3 5 11h4.5L9 17l6-8h-4.5Z'),
  changes: consolePage('changes', 'M10 6v4l2.5 1.5M3.5 10a6.5 6.5 0 1 0 2-4.7M3.5 3.5v3h3'),
  settings: consolePage(
    'settings',
    'M3.5 6h6M13.5 6h3M3.5 14h3M10.5 14h6M11.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  ),
  apps: {
    path: 'apps',
    lead: 'to your developer platform',
    purpose: 'Here you register apps that use the API, and see which apps you have given access to your account.',
    icon: 'M7 6.5 3.5 10 7 13.5M13 6.5l3.5 3.5-3.5 3.5M11.5 4.5l-3 11',
  },
  security: {
    path: 'security',
    lead: 'to your security page',
    purpose: 'Here you see where you are signed in, end those sessions, and change your password.',
    icon: 'M10 3 4 5.25V10c0 3.5 2.5 6 6 7.25 3.5-1.25 6-3.75 6-7.25V5.25L10 3ZM7.5 10l2 2 3.25-3.75',
  },
} satisfies Readonly<Record<string, SignedInPage>>;

/** Name of a page of a signed-in user. */
export type SignedInPageName = keyof typeof SIGNED_IN_PAGES;

/** A page by its name. */
export function signedInPage(name: SignedInPageName): SignedInPage {
  return SIGNED_IN_PAGES[name];
}
