import { type ContentKind, CONTENT_KINDS } from '../../schema/kinds/content-kinds.ts';

/** A link that the schema of a route names: something that a caller may be able to do with its objects. */
interface SchemaLink {
  readonly rel: string;
  readonly title: string;
  readonly href: string;
  readonly targetSchema: unknown;
}

/** The links that the schema of an item's record names, by the name of its GraphQL type. */
export const SCHEMA_LINKS: Readonly<Record<string, (href: (path: string) => string) => readonly SchemaLink[]>> =
  Object.fromEntries(CONTENT_KINDS.map((kind) => [kind.record.name, (href) => linksOf(kind, href)]));

function linksOf(kind: ContentKind, href: (path: string) => string): readonly SchemaLink[] {
  const address = href(`/wp/v2/${kind.many}/{id}`);
  return [
    ...(kind.isUploaded ? [] : [publishing(address)]),
    ...(kind.canBeSticky ? [sticking(address)] : []),
    authoring(address),
    ...kind.terms.flatMap(({ taxonomy, field }) => assigning(address, taxonomy, field)),
  ];
}

function publishing(href: string): SchemaLink {
  const status = { type: 'string', enum: ['publish', 'future'] };
  return action('publish', 'The current user can publish this post.', href, { status });
}

function sticking(href: string): SchemaLink {
  return action('sticky', 'The current user can sticky this post.', href, { sticky: { type: 'boolean' } });
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
