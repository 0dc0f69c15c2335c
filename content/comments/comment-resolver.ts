import { Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';

import { may } from '../access/capabilities.ts';
import { Comment } from '../schema/records/comment.ts';
import {
  COMMENT_CREATE,
  COMMENT_DELETE,
  COMMENT_LIST,
  COMMENT_READ,
  COMMENT_WRITE,
} from '../schema/parameters/comment-parameters.ts';
import { type ItemPage, itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';
import type { ContentContext } from '../access/content-context.ts';
import { Permitted } from '../access/permitted.ts';
import type { ViewOf } from '../access/view-of.ts';

import { changeComment, removeComment } from './change-comment.ts';
import {
  mayCreateComment,
  mayDeleteComment,
  mayListComments,
  mayReadComment,
  mayUpdateComment,
} from './comment-permissions.ts';
import { commentViews } from './comment-view.ts';
import { loadCommentedPosts } from './commented-posts.ts';
import { type CommentCreateArguments, createComment } from './create-comment.ts';
import { findComment } from './find-comment.ts';
import { accessOf, type CommentListArguments, listComments } from './list-comments.ts';
import { isReadableComment } from './readable-comment.ts';

const CommentPage = itemPageOf(Comment);

/** Whoever may moderate is shown a new comment to edit on; its author sees it as it is. */
const byModeration = ({ caller }: ContentContext) => (may(caller, 'moderate_comments') ? 'edit' : 'view');

/** The comments on the website's content. Specification: section D, `/wp/v2/comments`. */
@Resolver()
export class CommentResolver {
  @Permitted(mayListComments)
  @Query(() => CommentPage, { description: 'A page of comments.' })
  async comments(
    @Takes(COMMENT_LIST) args: CommentListArguments,
    @Ctx() context: ContentContext,
  ): Promise<ItemPage<ViewOf<Comment>>> {
    const { comments, total } = await listComments(args, context);
    const posts = await loadCommentedPosts(comments.map(({ post }) => post));
    const readable = comments.filter((comment) => isReadableComment(comment, posts, accessOf(args), context));
    return { items: await commentViews(readable, posts, context), total, total_pages: pagesOf(total, args.per_page) };
  }

  @Permitted(mayReadComment)
  @Query(() => Comment, { description: 'One of the comments.' })
  async comment(
    @Takes(COMMENT_READ) { id }: ParametersOf<typeof COMMENT_READ>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<Comment> | undefined> {
    return show(id, context);
  }

  @Permitted(mayCreateComment)
  @Extensions({ shownIn: byModeration })
  @Mutation(() => Comment, { description: 'Writes a comment.' })
  async createComment(
    @Takes(COMMENT_CREATE) args: CommentCreateArguments,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<Comment> | undefined> {
    return show(await createComment(args, context), context);
  }

  @Permitted(mayUpdateComment)
  @Mutation(() => Comment, { description: 'Changes a comment.' })
  async updateComment(
    @Takes(COMMENT_WRITE) args: ParametersOf<typeof COMMENT_WRITE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<Comment> | undefined> {
    await changeComment(args, context);
    return show(args.id, context);
  }

  @Permitted(mayDeleteComment)
  @Mutation(() => Comment, { description: 'Puts a comment into the trash, or deletes it.' })
  async deleteComment(
    @Takes(COMMENT_DELETE) { id, force }: ParametersOf<typeof COMMENT_DELETE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<Comment> | undefined> {
    const before = await show(id, context);
    await removeComment(id, force);
    return force ? before : show(id, context);
  }
}

async function show(id: unknown, context: ContentContext): Promise<ViewOf<Comment> | undefined> {
  const { comment, posts } = await findComment(id);
  const [view] = await commentViews([comment], posts, context);
  return view;
}
