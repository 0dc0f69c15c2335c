import type { Html } from '../../../http/answers/html.ts';

/** The documentation that the website shows with its content, as the other pages of the website use it. */
export interface SiteDocuments {
  /** The addresses of all documents, below that of the documentation; the first is the list of them. */
  paths(): Promise<readonly string[]>;
  /** Finds the parts of documents that match a search, the best first. */
  search(words: string): Promise<readonly DocumentMatch[]>;
}

/** A part of a document that matches a search. */
export interface DocumentMatch {
  /** Its address below that of the documentation. */
  readonly path: string;
  readonly heading: string;
  /** Title of the document; null if the heading is the title. */
  readonly document: string | null;
  /** Beginning of its text, or where the words occur. */
  readonly excerpt: Html;
}

/** Words of a search that nearly every text has, or that only make a sentence of it. */
const COMMON = new Set(
  'a,about,an,and,are,as,at,be,by,can,com,do,does,for,from,get,have,how,i,if,in,is,it,me,my,of,on,or,that,the,this,to,use,was,we,what,when,where,which,who,why,will,with,www,you'.split(
    ',',
  ),
);

/** The words of a search in lower case, without common ones unless there are no others. */
export function wordsOf(search: string): readonly string[] {
  const words = search.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  const telling = words.filter((word) => !COMMON.has(word));
  return telling.length === 0 ? words : telling;
}

/** Returns true if a title has all words of a search. */
export function hasAllWords(title: string, search: string): boolean {
  const text = title.toLowerCase();
  return wordsOf(search).every((word) => text.includes(word));
}
