/** Facts about the page that the server has written. */
export interface PageData {
  /** Path of the console. */
  readonly root: string;
  /** Path below which `/graphql` knows the session of the browser. */
  readonly serviceUrl: string;
  readonly baseUrl: string;
  readonly graphqlUrl: string;
  readonly siteUrl: string;
  /** Role of the user. */
  readonly role: 'administrator' | 'viewer' | 'driver';
}

/** Reads the facts about the page from its element. */
export function pageData(): PageData {
  const {
    root = '',
    baseUrl = '',
    graphqlUrl = '',
    siteUrl = '',
    role,
  } = document.querySelector<HTMLElement>('[data-root]')?.dataset ?? {};
  const known = role === 'administrator' || role === 'driver' ? role : 'viewer';
  return { root, serviceUrl: root.replace(/\/console$/, ''), baseUrl, graphqlUrl, siteUrl, role: known };
}

/** A parameter of the page's address; empty if it is absent. */
export function parameter(name: string): string {
  return new URLSearchParams(location.search).get(name) ?? '';
}

/** Address of a page of the console. @param path such as `/vehicle` */
export function pageAddress(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `${pageData().root}${path}${query === '' ? '' : `?${query}`}`;
}
