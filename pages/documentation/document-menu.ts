import type { SiteFrame } from '../../content/site/reading/site-frame.ts';
import { type Html, html } from '../../http/answers/html.ts';

import type { DocumentEntry } from './documents.ts';

/** A menu of all documents, closed at first, which opens without scripts. `current` is the name of the page. */
export function documentMenu(frame: SiteFrame, entries: readonly DocumentEntry[], current: string | null): Html {
  return html`<details class="index-menu"><summary>All documents</summary><nav aria-label="Documentation, menu">
${documentList(frame, entries, current)}</nav></details>
`;
}

/** All documents in their groups, with links. */
export function documentList({ docs }: SiteFrame, entries: readonly DocumentEntry[], current: string | null): Html {
  return html`${groupsOf(entries).map(
    ([group, members]) => html`<p>${group}</p>
<ul>
${members.map(({ name, title }) => html`<li><a href="${docs}/${name}"${name === current && html` aria-current="page"`}>${inlineCode(title)}</a></li>\n`)}</ul>
`,
  )}`;
}

/** Links to the documents before and after one, relative to its address. */
export function documentTurn(entries: readonly DocumentEntry[], name: string): Html {
  const at = entries.findIndex((entry) => entry.name === name);
  const [previous, next] = [entries[at - 1], entries[at + 1]];
  return html`<nav class="turn" aria-label="Documents">
${previous && turn(previous, 'prev', 'Previous')}${next && turn(next, 'next', 'Next')}</nav>
`;
}

function turn({ name, title }: DocumentEntry, rel: 'prev' | 'next', label: string): Html {
  return html`<a class="${rel}" href="${name}" rel="${rel}"><span>${label}</span>${inlineCode(title)}</a>\n`;
}

/** Groups documents in their order. */
export function groupsOf(
  entries: readonly DocumentEntry[],
): readonly (readonly [group: string, members: readonly DocumentEntry[]])[] {
  const groups = new Map<string, DocumentEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}

/** A title, with text between backquotes as code. */
export function inlineCode(title: string): Html[] {
  return title.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
