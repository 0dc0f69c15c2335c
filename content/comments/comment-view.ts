import { CommentStore, type StoredComment } from '../models/comment.ts';
import type { Comment } from '../schema/records/comment.ts';
import { avatarUrls } from '../users/user-view.ts';
import type { ContentContext } from '../access/content-context.ts';
import { permalinkOf } from '../access/permalink.ts';
import { renderComment } from '../rendering/content.ts';
import { rememberRendered } from '../rendering/remembered.ts';
import type { RenderSettings } from '../rendering/render-context.ts';
import type { ViewOf } from '../schema/content-field.ts';

import type { CommentedPosts } from './commented-posts.ts';
import type { Service } from '../../models/store/service.ts';

/** Shows comments; records that they refer to are read for all of them together. */
export async function commentViews(
  comments: readonly StoredComment[],
  posts: CommentedPosts,
  context: ContentContext,
): Promise<ViewOf<Comment>[]> {
  const answered = await answeredAmong(
    context.service,
    comments.map(({ id }) => id),
  );
  const { use_smilies: smilies } = await context.settings();
  return comments.map((comment) => ({
    ...comment,
    content: () => ({
      raw: comment.content,
      rendered: renderedOf(comment, { smilies, siteUrl: context.site }),
    }),
    link: () => linkOf(comment, posts, context.site),
    author_avatar_urls: () => avatarUrls(comment.author_email, context.site),
    meta: [],
    post_type: posts.find(comment.post)?.type ?? '',
    has_children: answered.has(comment.id),
  }));
}

function renderedOf({ content }: StoredComment, settings: RenderSettings): string {
  return rememberRendered(settings, ['comment', content], () => renderComment(content, settings));
}

function linkOf({ id, post }: StoredComment, posts: CommentedPosts, site: string): string {
  const item = posts.find(post);
  const link = item ? permalinkOf(item, site, posts.parentOf) : '';
  return `${link.replace(/\/?$/, '/')}#comment-${id}`;
}

/** Finds which of some comments have answers that are shown or wait for approval. */
async function answeredAmong(service: Service, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const answers = { parent: { $in: [...ids] }, status: { $in: ['approved', 'hold'] } } as const;
  return new Set(await CommentStore.distinct(service, 'parent', answers as never));
}
