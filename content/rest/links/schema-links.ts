import { type ContentKind, CONTENT_KINDS } from '../../schema/kinds/content-kinds.ts';

/** The links that the schema of an item's record names: what a caller may do with it. By the name of its GraphQL type. */
export const SCHEMA_LINKS: Readonly<Record<string, (href: (path: string) => string) => readonly object[]>> =
  Object.fromEntries(CONTENT_KINDS.map((kind) => [kind.record.name, (href) => linksOf(kind, href)]));

const STATUS = { type: 'string', enum: ['publish', 'future'] };
const TERMS = { type: 'array', items: { type: 'integer' } };

function linksOf(kind: ContentKind, href: (path: string) => string): readonly object[] {
  const action = (name: string, what: string, properties: object) => ({
    rel: `https://api.w.org/action-${name}`,
    title: `The current user can ${what}.`,
    href: href(`/wp/v2/${kind.many}/{id}`),
    targetSchema: { type: 'object', properties },
  });
  return [
    ...(kind.isUploaded ? [] : [action('publish', 'publish this post', { status: STATUS })]),
    ...(kind.canBeSticky ? [action('sticky', 'sticky this post', { sticky: { type: 'boolean' } })] : []),
    action('assign-author', 'change the author on this post', { author: { type: 'integer' } }),
    ...kind.terms.flatMap(({ taxonomy, field }) =>
      ['assign', 'create'].map((verb) =>
        action(`${verb}-${field}`, `${verb} terms in the ${taxonomy} taxonomy`, { [field]: TERMS }),
      ),
    ),
  ];
}
