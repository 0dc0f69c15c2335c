import type { ContentContext } from '../../access/content-context.ts';
import { publishedByUrl } from '../../oembed/own-embed.ts';
import { html } from '../../../http/answers/html.ts';
import { findList } from '../reading/find-list.ts';
import { showArticles } from '../reading/article.ts';
import { newestComments } from '../reading/discussion.ts';
import { movedItem } from '../reading/moved-item.ts';
import { newestPosts } from '../reading/post-list.ts';
import type { FeedFormat, ListAddress, SiteAddress } from '../reading/site-address.ts';
import type { SiteFrame } from '../reading/site-frame.ts';
import { textHtml, titleHtml } from '../text/text-html.ts';
import { atomFeed } from './atom-feed.ts';
import { feedOf, lastChange } from './feed.ts';
import { rssCommentFeed, rssFeed } from './rss-feed.ts';
import { CommentStore } from '../../models/comment.ts';
import type { Service } from '../../../models/store/service.ts';

/** A feed that was found. */
export interface FoundFeed {
  readonly type: string;
  /** Time of the last change in it, in GMT; 1970 for an empty one. */
  readonly modified: string;
  readonly render: (frame: SiteFrame) => Promise<string>;
  /** Its address, if its item was at the requested one before. */
  readonly movedTo?: string;
}

const TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
};

/** Entries of a feed. */
const IN_FEED = 10;

/**
 * Finds the feed of a page: the newest posts of a list, or the newest comments on an item or on all. Comments have RSS
 * only. Null if there is no such page.
 */
export async function findFeed(
  format: FeedFormat,
  of: SiteAddress,
  context: ContentContext,
): Promise<FoundFeed | null> {
  const { site } = context;
  switch (of.kind) {
    case 'feed':
      return null;
    case 'front':
      return postFeed(format, { kind: 'blog', page: 1 }, context);
    case 'comments':
      return commentFeed(null, context);
    case 'item':
      if (of.isEmbed) return null;
      return (await commentFeed(`${site}/${of.path}`, context)) ?? movedFeed(of.path, context);
    case 'number':
      return commentFeed(`${site}/?p=${of.id}`, context);
    default:
      return postFeed(format, of, context);
  }
}

async function postFeed(format: FeedFormat, of: ListAddress, context: ContentContext): Promise<FoundFeed | null> {
  const list = await findList(of, context);
  if (list === null) return null;
  const articles = await newestPosts(IN_FEED, context, list.filter, of.page);
  if (articles.length === 0 && !list.mayBeEmpty) return null;
  const commentCounts = await countComments(
    context.service,
    articles.filter(({ isLocked }) => !isLocked).map(({ id }) => id),
  );
  const isAll = of.kind === 'blog';
  return {
    type: TYPES[format],
    modified: lastChange(articles.map(({ modified }) => modified)),
    render: ({ site, title, tagline, language }) => {
      const rss = isAll ? `${site}/feed/` : feedOf(list.link);
      const atom = isAll ? `${site}/feed.xml` : rss.replace(/rss2$/, 'atom').replace(/\/$/, '/atom/');
      const feed = {
        title: isAll ? title : html`${list.name} – ${textHtml(title)}`.text,
        self: format === 'rss' ? rss : atom,
        link: isAll ? `${site}/` : list.link,
        description: list.description === '' ? tagline : list.description,
        ...{ language, siteTitle: title, articles, commentCounts },
      };
      return format === 'rss' ? rssFeed(feed) : atomFeed(feed);
    },
  };
}

async function commentFeed(url: string | null, context: ContentContext): Promise<FoundFeed | null> {
  const item = url === null ? null : await publishedByUrl(context.service, url, context.site);
  const [article = null] = item === null ? [] : await showArticles([item], context);
  if (url !== null && article === null) return null;
  const comments = await newestComments(IN_FEED, article?.id ?? null, context);
  return {
    type: TYPES.rss,
    modified: lastChange(comments.map(({ published }) => published)),
    render: async ({ site, title, tagline, language }) =>
      rssCommentFeed({
        title: article === null ? `Comments for ${title}` : `Comments on: ${titleHtml(article, language).text}`,
        self: article === null ? `${site}/comments/feed/` : feedOf(article.link),
        link: article?.link ?? `${site}/`,
        description: tagline,
        ...{ language, comments, isAboutOne: article !== null },
      }),
  };
}

async function movedFeed(path: string, context: ContentContext): Promise<FoundFeed | null> {
  const item = await movedItem(path, context);
  const [article] = item === null ? [] : await showArticles([item], context);
  const feed = article ? await commentFeed(article.link, context) : null;
  return article && feed ? { ...feed, movedTo: feedOf(article.link) } : null;
}

/** Counts the approved comments on items: by the number of the item; items without comments are missing. One query. */
async function countComments(service: Service, items: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (items.length === 0) return new Map();
  const counts = await CommentStore.aggregate<{ readonly _id: number; readonly count: number }>(service, [
    { $match: { post: { $in: [...items] }, status: 'approved' } },
    { $group: { _id: '$post', count: { $sum: 1 } } },
  ]);
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}
