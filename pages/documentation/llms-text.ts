import { readableText } from '../../content/site/text/text-html.ts';

import { groupsOf } from './document-menu.ts';
import type { DocumentEntry } from './documents.ts';

/** Contents of `/llms.txt`. */
export interface LlmsText {
  /** Title and tagline of the website, as HTML. */
  readonly title: string;
  readonly tagline: string;
  /** Address of the documentation, without a slash at its end. */
  readonly address: string;
  readonly entries: readonly DocumentEntry[];
}

/** Lists the documents for tools: their addresses as Markdown (format: llmstxt.org). */
export function llmsText({ title, tagline, address, entries }: LlmsText): string {
  const written = entries.filter(({ source }) => source !== null);
  const groups = groupsOf(written).map(
    ([group, members]) =>
      `## ${group}\n\n${members.map(({ name, title, about }) => `- [${title}](${address}/${name}.md): ${about}`).join('\n')}\n`,
  );
  const head = `# ${readableText(title) || 'Waybridge'}\n\n> ${readableText(tagline) || 'Documentation'}\n`;
  const schema = `- [GraphQL schema](${address}/schema.graphql): every type and root field of the GraphQL API.\n`;
  return [head, ...groups, `## Machine-readable\n\n${schema}`].join('\n');
}
