/** Where the interfaces of the service are, as its pages show them. */
export interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly siteUrl: string;
  readonly graphqlUrl: string;
}
