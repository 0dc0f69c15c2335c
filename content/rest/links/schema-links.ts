/** A link that the schema of a route names: something that a caller may be able to do with its objects. */
interface SchemaLink {
  readonly rel: string;
  readonly title: string;
  readonly href: string;
  readonly targetSchema: unknown;
}

/** The links that the schemas of types name, by the type's name. */
export const SCHEMA_LINKS: Readonly<Record<string, (href: (path: string) => string) => readonly SchemaLink[]>> = {
  Post: (href) => {
    const post = href('/wp/v2/posts/{id}');
    return [
      publishing(post),
      action('sticky', 'The current user can sticky this post.', post, { sticky: { type: 'boolean' } }),
      authoring(post),
      ...assigning(post, 'category', 'categories'),
      ...assigning(post, 'post_tag', 'tags'),
    ];
  },
  Page: (href) => [publishing(href('/wp/v2/pages/{id}')), authoring(href('/wp/v2/pages/{id}'))],
  Attachment: (href) => [authoring(href('/wp/v2/media/{id}'))],
};

function publishing(href: string): SchemaLink {
  const status = { type: 'string', enum: ['publish', 'future'] };
  return action('publish', 'The current user can publish this post.', href, { status });
}

function authoring(href: string): SchemaLink {
  const title = 'The current user can change the author on this post.';
  return action('assign-author', title, href, { author: { type: 'integer' } });
}

function assigning(href: string, taxonomy: string, field: string): SchemaLink[] {
  const title = (verb: string) => `The current user can ${verb} terms in the ${taxonomy} taxonomy.`;
  const list = { type: 'array', items: { type: 'integer' } };
  return ['assign', 'create'].map((verb) => action(`${verb}-${field}`, title(verb), href, { [field]: list }));
}

function action(name: string, title: string, href: string, properties: Readonly<Record<string, unknown>>): SchemaLink {
  return { rel: `https://api.w.org/action-${name}`, title, href, targetSchema: { type: 'object', properties } };
}
