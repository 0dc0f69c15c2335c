import { foldText } from '../models/content-item.ts';
import type { StoredTerm } from '../models/term.ts';
import type { Taxonomy } from '../schema/kinds/term-kinds.ts';

import { RecordReader } from './record-reader.ts';

/** A category or tag of a file; how many posts have it is counted after the import. */
export interface ImportedTerm {
  readonly where: string;
  readonly term: Omit<StoredTerm, 'count'>;
}

/** Where each taxonomy lies in a file. */
const LISTS = [
  ['categories', 'category'],
  ['tags', 'post_tag'],
] as const satisfies readonly (readonly [string, Taxonomy])[];

/** The categories and tags of a file. */
export function readTerms(document: RecordReader): ImportedTerm[] {
  return LISTS.flatMap(([list, taxonomy]) =>
    [...RecordReader.ofList(document, list)].map((reader) => ({
      where: reader.where,
      term: readTerm(reader, taxonomy),
    })),
  );
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
