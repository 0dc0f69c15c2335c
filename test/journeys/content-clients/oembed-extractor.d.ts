/** The part of the package's interface that the tests use; the package has no types. */
declare module '@extractus/oembed-extractor' {
  /** Finds the oEmbed of a page by its head, and reads it with the given `fetch`. */
  export function extract(
    url: string,
    params: { readonly maxwidth?: number },
    fetcher: (url: string) => Promise<Response>,
  ): Promise<Readonly<Record<string, unknown>>>;
}
