/** Addresses of the interfaces of the service, as its pages show them. */
export interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly siteUrl: string;
  readonly graphqlUrl: string;
}
