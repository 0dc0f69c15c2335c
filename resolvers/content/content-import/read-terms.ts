import { RecordReader } from './record-reader.ts';

/** A category or tag of a file. */
export interface ImportedTerm {
  readonly where: string;
  readonly term: StoredTerm;
}
interface StoredTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
}

/** The categories and tags of a file. */
export function readTerms(document: RecordReader): ImportedTerm[] {
  return (['categories', 'tags'] as const).flatMap((list) =>
    [...RecordReader.ofList(document, list)].map((reader) => ({
      where: reader.where,
      term: {
        id: reader.id(),
        taxonomy: list === 'categories' ? 'category' : 'post_tag',
        name: reader.needed('name'),
        slug: reader.needed('slug'),
        description: reader.text('description'),
        parent: list === 'categories' ? reader.integer('parent') : 0,
      },
    })),
  );
}
