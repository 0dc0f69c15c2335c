import { foldText } from '../models/content-item.ts';
import type { StoredTerm } from '../models/term.ts';
import type { Taxonomy } from '../schema/kinds/term-kinds.ts';

import type { RecordReader } from './record-reader.ts';

/** A category or tag of a file; how many posts have it is counted after the import. */
export interface ImportedTerm {
  readonly where: string;
  readonly term: Omit<StoredTerm, 'count'>;
}

/** The categories and tags of a file. */
export function readTerms(document: RecordReader): ImportedTerm[] {
  const readList = (list: string, taxonomy: Taxonomy) =>
    document.records(list).map((reader) => ({ where: reader.where, term: readTerm(reader, taxonomy) }));
  return [...readList('categories', 'category'), ...readList('tags', 'post_tag')];
}

function readTerm(reader: RecordReader, taxonomy: Taxonomy): ImportedTerm['term'] {
  const name = reader.needed('name');
  return {
    id: reader.id(),
    taxonomy,
    name,
    name_folded: foldText(name),
    slug: reader.needed('slug'),
    description: reader.text('description'),
    parent: taxonomy === 'category' ? reader.integer('parent') : 0,
  };
}
