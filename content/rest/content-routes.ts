import type { ContentTable, RawAnswer } from './content-table.ts';
import { oembedXml } from './oembed-xml.ts';

/** The content interface, relative to `{site_url}/wp-json`. Specification: section D. */
export const contentRoutes: ContentTable = {
  'GET /oembed/1.0/embed': { query: 'embed', send: oembedXml },
  'GET /oembed/1.0/proxy': { query: 'proxyEmbed' },

  'GET /pum/v1/analytics': { query: 'analytics', send: () => NOTHING },

  'GET /wp/v2/posts': { query: 'posts' },
  'POST /wp/v2/posts': { mutation: 'createPost', status: 201 },
  'GET /wp/v2/posts/{id}': { query: 'post', alternate: true },
  'POST|PUT|PATCH /wp/v2/posts/{id}': { mutation: 'updatePost' },
  'DELETE /wp/v2/posts/{id}': { mutation: 'deletePost' },
  'GET /wp/v2/posts/{parent}/revisions': { query: 'postRevisions' },
  'GET /wp/v2/posts/{parent}/revisions/{id}': { query: 'postRevision' },
  'DELETE /wp/v2/posts/{parent}/revisions/{id}': { mutation: 'deletePostRevision', context: 'view' },

  'GET /wp/v2/pages': { query: 'pages' },
  'POST /wp/v2/pages': { mutation: 'createPage', status: 201 },
  'GET /wp/v2/pages/{id}': { query: 'page', alternate: true },
  'POST|PUT|PATCH /wp/v2/pages/{id}': { mutation: 'updatePage' },
  'DELETE /wp/v2/pages/{id}': { mutation: 'deletePage' },
  'GET /wp/v2/pages/{parent}/revisions': { query: 'pageRevisions' },
  'GET /wp/v2/pages/{parent}/revisions/{id}': { query: 'pageRevision' },
  'DELETE /wp/v2/pages/{parent}/revisions/{id}': { mutation: 'deletePageRevision', context: 'view' },

  'GET /wp/v2/users': { query: 'users' },
  'POST /wp/v2/users': { mutation: 'createUser', status: 201 },
  'GET /wp/v2/users/{id}': { query: 'user' },
  'POST|PUT|PATCH /wp/v2/users/{id}': { mutation: 'updateUser' },
  'DELETE /wp/v2/users/{id}': { mutation: 'deleteUser' },
  'GET /wp/v2/users/me': { query: 'me' },
  'POST|PUT|PATCH /wp/v2/users/me': { mutation: 'updateMe' },
  'DELETE /wp/v2/users/me': { mutation: 'deleteMe' },

  'GET /wp/v2/comments': { query: 'comments' },
  'POST /wp/v2/comments': { mutation: 'createComment', status: 201 },
  'GET /wp/v2/comments/{id}': { query: 'comment' },
  'POST|PUT|PATCH /wp/v2/comments/{id}': { mutation: 'updateComment' },
  'DELETE /wp/v2/comments/{id}': { mutation: 'deleteComment' },

  'GET /wp/v2/media': { query: 'media' },
  'POST /wp/v2/media': { mutation: 'createAttachment', status: 201 },
  'GET /wp/v2/media/{id}': { query: 'attachment', alternate: true },
  'POST|PUT|PATCH /wp/v2/media/{id}': { mutation: 'updateAttachment' },
  'DELETE /wp/v2/media/{id}': { mutation: 'deleteAttachment' },

  'GET /wp/v2/types': { query: 'types', keyedBy: 'slug' },
  'GET /wp/v2/types/{type}': { query: 'type' },

  'GET /wp/v2/statuses': { query: 'statuses', keyedBy: 'slug' },
  'GET /wp/v2/statuses/{status}': { query: 'status' },

  'GET /wp/v2/taxonomies': { query: 'taxonomies', keyedBy: 'slug' },
  'GET /wp/v2/taxonomies/{taxonomy}': { query: 'taxonomy' },

  'GET /wp/v2/categories': { query: 'categories' },
  'POST /wp/v2/categories': { mutation: 'createCategory', status: 201, context: 'view' },
  'GET /wp/v2/categories/{id}': { query: 'category' },
  'POST|PUT|PATCH /wp/v2/categories/{id}': { mutation: 'updateCategory', context: 'view' },
  'DELETE /wp/v2/categories/{id}': { mutation: 'deleteCategory', context: 'view' },

  'GET /wp/v2/tags': { query: 'tags' },
  'POST /wp/v2/tags': { mutation: 'createTag', status: 201, context: 'view' },
  'GET /wp/v2/tags/{id}': { query: 'tag' },
  'POST|PUT|PATCH /wp/v2/tags/{id}': { mutation: 'updateTag', context: 'view' },
  'DELETE /wp/v2/tags/{id}': { mutation: 'deleteTag', context: 'view' },

  'GET /wp/v2/settings': { query: 'settings' },
  'POST|PUT|PATCH /wp/v2/settings': { mutation: 'updateSettings' },
};

/** A picture of nothing, for pages that count by asking for one. */
const NOTHING: RawAnswer = { status: 204, type: 'image/gif', body: '', isBare: true };
