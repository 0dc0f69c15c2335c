declare module 'wpapi' {
  /** As much of an answer as the tests look at. */
  export interface WpObject {
    readonly id: number;
    readonly deleted?: boolean;
    readonly source_url: string;
    readonly title: { readonly rendered: string };
    readonly content: { readonly rendered: string };
    readonly media_details: { readonly sizes: Readonly<Record<string, unknown>> };
    readonly _embedded: { readonly author: readonly { readonly name: string }[] };
  }

  /** A page of a list, and the way to the others. */
  export type WpList = readonly WpObject[] & {
    readonly _paging: { readonly total: number; readonly totalPages: number; readonly next: WpRequest };
  };

  /** A request that is built step by step, and sent when it is awaited. */
  export interface WpRequest extends PromiseLike<WpList> {
    id(id: number): WpRequest & { revisions(): WpRequest };
    perPage(count: number): WpRequest;
    order(order: string): WpRequest;
    orderby(field: string): WpRequest;
    embed(): WpRequest;
    file(bytes: Uint8Array, name: string): WpRequest;
    get(): Promise<WpList & WpObject>;
    create(data: object): Promise<WpObject>;
    update(data: object): Promise<WpObject>;
    delete(data: object): Promise<WpObject>;
  }

  /** The client. It comes without types of its own. */
  class WPAPI {
    static discover(url: string): Promise<WPAPI>;
    constructor(options: { readonly endpoint: string; readonly username?: string; readonly password?: string });
    posts(): WpRequest;
    pages(): WpRequest;
    media(): WpRequest;
    root(path: string): { toString(): string };
  }
  export = WPAPI;
}
