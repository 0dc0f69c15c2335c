import { feedLinks } from '../../content/site/feeds/feed.ts';
import { renderPage } from '../../content/site/page.ts';
import type { SiteFrame } from '../../content/site/reading/site-frame.ts';
import { searchForm } from '../../content/site/site-header.ts';
import { textHtml } from '../../content/site/text/text-html.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { headerOf } from '../site/header-of.ts';

import { documentList, documentMenu, documentTurn, groupsOf, inlineCode } from './document-menu.ts';
import type { DocumentEntry } from './documents.ts';
import type { DocumentHeading, RenderedDocument } from './render-document.ts';

/** Parts that all pages of the documentation have. */
export interface DocumentationFrame {
  readonly frame: SiteFrame;
  readonly nonce: string;
  readonly version: string;
  readonly entries: readonly DocumentEntry[];
}

/** Maximum number of headings for which the contents of a page have those of the third level, too. */
const MAX_CONTENTS = 24;

/** Writes the page of a document: the index of all documents, the text, its contents, and the documents before and after it. */
export function documentPage(page: DocumentationFrame, entry: DocumentEntry, rendered: RenderedDocument): string {
  const { entries } = page;
  const contents = contentsOf(rendered.headings);
  return render(page, {
    title: entry.title.replaceAll('`', ''),
    description: entry.about,
    path: `/${entry.name}`,
    current: entry.name,
    article: html`<article class="document">
<p class="kicker"><span>${entry.group}</span></p>
<h1>${rendered.title}</h1>
${contents.length > 1 && html`<details class="contents-menu"><summary>On this page</summary><nav aria-label="On this page, menu">${contentsList(contents)}</nav></details>\n`}<div class="prose">
${rendered.body}</div>
${documentTurn(entries, entry.name)}${entry.source !== null && html`<p class="source"><a href="${entry.name}.md">This page as Markdown</a></p>\n`}</article>`,
    aside:
      contents.length > 1 &&
      html`<aside class="contents"><nav aria-label="On this page"><p>On this page</p>${contentsList(contents)}</nav></aside>`,
  });
}

/** Writes the page that lists all documents. */
export function documentationIndex(page: DocumentationFrame): string {
  const { frame, entries } = page;
  const groups = groupsOf(entries);
  return render(page, {
    title: 'Documentation',
    description: 'How to use the APIs, apps, maps and devices of this service, and how to run it.',
    path: '',
    current: null,
    article: html`<article class="document">
<h1>Documentation</h1>
<p class="lead">How to read and write vehicles and trips by REST and GraphQL, put trips on a map, connect devices, and run the service. Examples have the addresses of this installation.</p>
${searchForm(frame.root, 'page')}
${groups.map(
  ([group, members]) => html`<section class="group" aria-labelledby="${idOf(group)}">
<h2 id="${idOf(group)}">${group}</h2>
<ul>
${members.map(({ name, title, about }) => html`<li><a href="${frame.docs}/${name}">${inlineCode(title)}</a><p>${about}</p></li>\n`)}</ul>
</section>
`,
)}</article>`,
    aside: false,
  });
}

function render(
  page: DocumentationFrame,
  {
    title,
    description,
    path,
    current,
    article,
    aside,
  }: {
    readonly title: string;
    readonly description: string;
    /** Below the address of the documentation. */
    readonly path: string;
    readonly current: string | null;
    readonly article: Html;
    readonly aside: Html | false;
  },
): string {
  const { frame, nonce, version, entries } = page;
  const docs = frame.docs ?? '';
  const canonical = new URL(`${docs}${path}`, frame.site).href;
  return renderPage({
    title: html`${title} · ${frame.title === '' ? 'Waybridge' : textHtml(frame.title)}`,
    description,
    head: html`<link rel="canonical" href="${canonical}">\n${feedLinks(frame)}`,
    nonce,
    header: headerOf(frame, frame.root, docs),
    styles: ['code', 'prose', 'docs', 'highlight'],
    scripts: ['site/browser/copy.js', 'site/browser/docs.js'],
    main: html`<div class="docs wrap">
${documentMenu(frame, entries, current)}<nav class="index" aria-label="Documentation">
${documentList(frame, entries, current)}</nav>
${article}
${aside}</div>`,
    footer: html`<p>Waybridge ${version}. These pages set no cookies and do not track you.</p>
<ul><li><a href="${frame.root}">Front page</a></li><li><a href="${docs}">Documentation</a></li><li><a href="${frame.root}llms.txt">llms.txt</a></li></ul>`,
  });
}

function contentsOf(headings: readonly DocumentHeading[]): readonly DocumentHeading[] {
  const few = headings.filter(({ depth }) => depth <= 3);
  return few.length <= MAX_CONTENTS ? few : few.filter(({ depth }) => depth === 2);
}

function contentsList(headings: readonly DocumentHeading[]): Html {
  return html`<ul>
${headings.map(({ id, depth, title }) => html`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>\n`)}</ul>`;
}

function idOf(group: string): string {
  return group.toLowerCase().replaceAll(' ', '-');
}
