import MiniSearch from 'minisearch';

import { type DocumentMatch, wordsOf } from '../../content/site/reading/site-documents.ts';
import { type Html, html } from '../../http/answers/html.ts';

import type { DocumentSection } from './render-document.ts';

interface IndexedSection {
  readonly path: string;
  readonly heading: string;
  /** Title of its document; null if the heading is the title. */
  readonly document: string | null;
  readonly text: string;
  readonly code: string;
}

/** Maximum number of results. */
const MAX_MATCHES = 8;
/** Maximum number of results in one document. */
const MAX_IN_DOCUMENT = 3;
/** Length of the text that a result shows, in characters. */
const EXCERPT = 200;

/** An index of the words of all documents, which finds their sections (BM25). */
export class DocumentIndex {
  readonly #index = new MiniSearch<IndexedSection>({
    idField: 'path',
    fields: ['heading', 'document', 'text', 'code'],
    storeFields: ['path', 'heading', 'document', 'text'],
    searchOptions: {
      boost: { heading: 4, document: 2, code: 0.5 },
      prefix: (word) => word.length > 3,
      combineWith: 'AND',
    },
  });

  /** Adds the sections of a document, of which the first is its title. */
  add(name: string, sections: readonly DocumentSection[]): void {
    const title = sections[0]?.heading ?? name;
    this.#index.addAll(
      sections.map(({ id, ...section }) => ({
        ...section,
        path: id === null ? name : `${name}#${id}`,
        document: id === null ? null : title,
      })),
    );
  }

  /** Finds the sections with all words of a search, or else with some of them, the best first. */
  find(search: string): DocumentMatch[] {
    const words = wordsOf(search);
    const query = words.join(' ');
    const all = this.#index.search(query);
    const found = all.length > 0 ? all : this.#index.search(query, { combineWith: 'OR' });
    const counts = new Map<string, number>();
    const few = found.filter(({ path }) => {
      const [name = ''] = String(path).split('#');
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count <= MAX_IN_DOCUMENT;
    });
    return few.slice(0, MAX_MATCHES).map((match) => {
      const { path, heading, document, text } = match as unknown as IndexedSection;
      return { path, heading, document, excerpt: excerptOf(text, words) };
    });
  }
}

/** The part of a text around the first of the words, or its beginning. */
function excerptOf(text: string, words: readonly string[]): Html {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < EXCERPT / 2 ? 0 : text.lastIndexOf(' ', first - EXCERPT / 4) + 1;
  const part = text.slice(start, start + EXCERPT);
  const cut = start + EXCERPT < text.length ? `${part.replace(/\S*$/, '').trimEnd()}…` : part;
  return html`${start > 0 && '…'}${cut}`;
}
