/** A page of a signed-in user. */
export interface SignedInPage {
  /** Path below `{auth_url}`; pages whose paths begin with the same word share their sign-in and actions. */
  readonly path: string;
  /** Text of the sign-in form after "Sign in". */
  readonly lead: string;
  /** Path of a picture of 20 by 20 units, with which the navigation lists the page; absent if it does not. */
  readonly icon?: string;
  /** Name of the page of the navigation to which this one belongs. */
  readonly within?: string;
}

const CONSOLE_LEAD = 'to your vehicles';

/**
 * The pages of a signed-in user by their names, in the order of the navigation. Their titles are `pages` of
 * `pages/console/texts/en.ts`. Those below `console` are drawn by the file of `pages/console/views` of the same name.
 */
export const SIGNED_IN_PAGES = {
  vehicles: {
    path: 'console',
    lead: CONSOLE_LEAD,
    icon: 'M3 12.5V8l2-3.5h7L14.5 8H17v4.5M3 12.5h2m3 0h4.5M17 12.5h-1M5 8h9M6.5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM14 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  },
  'add-vehicle': { path: 'console/add-vehicle', lead: CONSOLE_LEAD, within: 'vehicles' },
  vehicle: { path: 'console/vehicle', lead: CONSOLE_LEAD, within: 'vehicles' },
  trip: { path: 'console/trip', lead: CONSOLE_LEAD, within: 'vehicles' },
  apps: {
    path: 'apps',
    lead: 'to your developer platform',
    icon: 'M7 6.5 3.5 10 7 13.5M13 6.5l3.5 3.5-3.5 3.5M11.5 4.5l-3 11',
  },
  security: {
    path: 'security',
    lead: 'to your security page',
    icon: 'M10 3 4 5.25V10c0 3.5 2.5 6 6 7.25 3.5-1.25 6-3.75 6-7.25V5.25L10 3ZM7.5 10l2 2 3.25-3.75',
  },
} satisfies Readonly<Record<string, SignedInPage>>;

/** Name of a page of a signed-in user. */
export type SignedInPageName = keyof typeof SIGNED_IN_PAGES;

/** A page by its name. */
export function signedInPage(name: SignedInPageName): SignedInPage {
  return SIGNED_IN_PAGES[name];
}
