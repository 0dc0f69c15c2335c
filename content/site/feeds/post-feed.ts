import type { Article } from '../reading/article.ts';

/** A feed of posts. Texts are HTML. */
export interface PostFeed {
  readonly title: string;
  /** Its own address. */
  readonly self: string;
  /** Address of the page with the same posts. */
  readonly link: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
  /** Name of the website, the author of posts that have none. */
  readonly siteTitle: string;
  readonly articles: readonly Article[];
  /** Approved comments on each article that has some, by its number. */
  readonly commentCounts: ReadonlyMap<number, number>;
}

/** Time of the last change in a feed, in GMT; 1970 for an empty one. */
export function lastChange(times: readonly string[]): string {
  return times.reduce((last, one) => (one > last ? one : last), '1970-01-01T00:00:00');
}
