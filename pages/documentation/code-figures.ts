import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import graphql from 'highlight.js/lib/languages/graphql';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

import { type Html, html, raw } from '../../http/answers/html.ts';
import { copyButton } from '../site/code-block.ts';

for (const [name, language] of Object.entries({ bash, graphql, json, python, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases('js', { languageName: 'typescript' });

/** Names of languages that readers know by another name than the highlighter. */
const LABELS: Readonly<Record<string, string>> = { sh: 'Shell', js: 'JavaScript', html: 'HTML', xml: 'XML' };

/** Languages in which the same example may be written, in blocks that follow each other. */
const ALTERNATIVES: ReadonlySet<string> = new Set(['sh', 'graphql', 'ts', 'python']);

const COMMAND = /^(?:curl|api|npx|pmtiles|st|sudo|openapi-\S+) /m;

/** A block of code of a document. */
export interface CodeBlock {
  /** First word is the language; `run` after it marks an example that a test runs. */
  readonly info: string;
  readonly code: string;
}

/** Returns true if blocks that follow each other are one example in several languages. */
export function areAlternatives(blocks: readonly CodeBlock[]): boolean {
  const languages = new Set(blocks.map(languageOf));
  return languages.size === blocks.length && [...languages].every((language) => ALTERNATIVES.has(language));
}

/** A listing with highlighted words; a script shows the copy button. `id` is unique on the page. */
export function codeFigure(id: string, block: CodeBlock): Html {
  const label = labelOf(block);
  return html`<figure class="code">
<figcaption><span>${label}</span>${copyButton(id, label)}</figcaption>
${listing(id, label, block)}
</figure>
`;
}

/** One example in several languages: the reader chooses one, without scripts too. `id` is unique on the page. */
export function codeTabs(id: string, blocks: readonly CodeBlock[]): Html {
  return html`<fieldset class="code tabs">
<legend class="unseen">Language of the example</legend>
${blocks.map((block, at) => {
  const [tab, label] = [`${id}-${at}`, labelOf(block)];
  return html`<input type="radio" class="unseen" name="${id}" id="${tab}" value="${label}"${at === 0 && html` checked`}><label for="${tab}">${label}</label>
<div class="tab">${copyButton(`${tab}-code`, label)}${listing(`${tab}-code`, label, block)}</div>
`;
})}</fieldset>
`;
}

function listing(id: string, label: string, block: CodeBlock): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code id="${id}">${highlighted(block)}</code></pre>`;
}

function languageOf({ info }: CodeBlock): string {
  return info.split(' ')[0] ?? '';
}

/** The language of a block; a text that is a command is highlighted as one. */
function languageIn(block: CodeBlock): string {
  return languageOf(block) === 'text' && COMMAND.test(block.code) ? 'sh' : languageOf(block);
}

function labelOf(block: CodeBlock): string {
  const language = languageIn(block);
  if (language === 'sh' && /^(?:curl|api) /m.test(block.code)) return 'curl';
  return LABELS[language] ?? hljs.getLanguage(language)?.name ?? 'Text';
}

function highlighted(block: CodeBlock): Html {
  const language = languageIn(block);
  const isKnown = hljs.getLanguage(language) !== undefined;
  return isKnown ? raw(hljs.highlight(block.code, { language }).value) : html`${block.code}`;
}
