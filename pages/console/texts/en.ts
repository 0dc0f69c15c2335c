/** Texts of the console in English; `de.ts` has the same ones. */
export const en = {
  pages: {
    vehicles: 'Vehicles',
    'add-vehicle': 'Add a vehicle',
    vehicle: 'Vehicle',
    trip: 'Trip',
    apps: 'Apps',
    security: 'Security',
  },
  navigation: 'Pages',
  skip: 'Skip to content',
  signOut: 'Sign out',
  needsScript: 'This page needs JavaScript.',
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  failed: (reason: string) => `This did not work. ${reason}`,
  unreachable: 'The service cannot be reached. Check your connection and try again.',
  tryAgain: 'Try again',
  passwordNeeded: 'This needs your password, because you entered it more than 15 minutes ago.',
  signInAgain: 'Sign in again',
  request: {
    open: 'Show as GraphQL / REST',
    lead: 'The latest request of this page. Your programs can send it with an API key.',
    noRest: 'REST has no path for this request.',
  },
};

/** Texts of the console in one language. */
export type Texts = typeof en;
