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

If WordPress 4.9 leaves open something that clients of later versions use, the service supports it, such as uploads of WebP
pictures. 4.9 does define the result of \`modified_after\`, \`modified_before\` and nested names in \`_fields\`, such as
\`title.rendered\`: it ignores the bounds, and returns no member for a nested name. So does the service.

The tests use the clients wpapi and @wordpress/api-fetch. @wordpress/core-data sends its requests through the latter; it is not
tested, since it brings the whole editor of WordPress, some 230 packages, for requests that api-fetch can send alone.`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
