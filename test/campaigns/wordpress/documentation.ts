import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Cause, EXPLAINED, type Explanation } from './explained.ts';

/** The page, from the root of the repository. */
export const documentationPath = 'docs/wordpress.md';

/** Headings by cause, in the order of the page. */
const CAUSES: readonly (readonly [Cause, string, string])[] = [
  ['version', 'Later versions', 'The interface is that of WordPress 4.9; the comparison runs with 6.1.'],
  ['markup', 'Markup', 'Markup and texts that WordPress generates are not reproduced literally.'],
  ['strictness', 'Decisions', 'Answers that differ deliberately.'],
  ['chance', 'Undefined in WordPress', 'WordPress’s answer depends on the order of its database or on time.'],
];

/** Writes the page of all differences that are meant. */
export function formatDocumentation(rows: readonly Explanation[] = EXPLAINED): string {
  const sections = CAUSES.flatMap(([cause, heading, about]) => {
    const those = rows.filter((row) => row.cause === cause);
    if (those.length === 0) return [];
    const lines = those.map(({ what, reason }) => `| ${cell(what)} | ${cell(reason)} |`);
    return [`## ${heading}\n\n${about}\n\n| difference | reason |\n|---|---|\n${[...new Set(lines)].join('\n')}`];
  });
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

/** Writes the page into the working directory. */
export function writeDocumentation(): void {
  writeFileSync(join(process.cwd(), documentationPath), formatDocumentation());
}

const HEAD = `# Differences from WordPress

The content interface answers as the REST API of WordPress 4.9 does. \`npm run compare:wordpress\` sends generated requests to
the service and to a WordPress site with the same content, and compares statuses, headers and bodies. This page lists every
intended difference; \`npm run compare:wordpress -- document\` generates it from \`test/campaigns/wordpress/explained.ts\`.

Clients of later versions get what 4.9 leaves open or silently answers wrong. Nothing else that a client of 4.9 sees changes:

- Nested names in \`_fields\` (\`title.rendered\`), relations in \`_embed\` (\`author,wp:term\`), \`modified_after\` and
  \`modified_before\`, \`search_columns\`. 4.9 returns no member for a nested name, embeds everything, and ignores the others.
- \`after\` and \`before\` with an offset compare instants, as since 5.3. 4.9 compares them with the clock of the site.
- An empty \`status\` of a list by visitors, which gatsby-source-wordpress sends, is ignored, as since 5.0. 4.9 rejects it, and so do lists for editors.
- \`/wp/v2/search\` as in 5.0, \`/wp/v2/users/{id}/application-passwords\` as in 5.6, without \`last_used\` and \`last_ip\`, which are
  not recorded, and \`/wp/v2/posts/{id}/preview\`, which WordPress does not have. The index lists them; its \`authentication\` is empty.
- An application password is accepted with spaces, and with the e-mail address as login, as in 5.6.
- Avatars of a site that is served by https are at \`https://secure.gravatar.com\`, as in 4.9.
- The first text of a post is kept as a revision when it is changed, as since 6.4: there is one revision more than in 4.9.
- Marks of blocks (\`<!-- wp:paragraph -->\`) are stored and not shown, and content that has them gets no further paragraphs, as since 5.0.
- \`ETag\` in the context \`edit\`, and \`If-Match\`, which WordPress ignores.
- Uploads of WebP and AVIF pictures. HEIC is 400 with what to do.
- The category “Uncategorized” is there from the start, with the number 1. An unknown default category is dropped; WordPress stores its number.

The tests use the clients wpapi, @wordpress/api-fetch, feedparser, rss-parser and sitemapper. They send the requests of
@wordpress/core-data 5.9 through api-fetch, since core-data brings the whole editor of WordPress, some 230 packages, and those of
gatsby-source-wordpress 3 without Gatsby.`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
