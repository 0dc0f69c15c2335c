import type { Config } from '../configuration/config.ts';

/** Addresses of the interfaces of the service, as its pages show them. */
export type Addresses = Pick<Config, 'baseUrl' | 'authUrl' | 'siteUrl' | 'graphqlUrl'>;
