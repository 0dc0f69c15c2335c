/** Bytes of a page: from the first to before the last. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Sizes of the headers of b-tree pages by their types; other pages are of the list of free pages, or hold the rest of a long row. */
const HEADER_SIZES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

/** Pages from which the first byte of the rest of a row, a page number, may be that of a b-tree page. */
export const MAX_PAGES = 2 ** 25;

/**
 * The bytes of a b-tree page that belong to no row: what was there may be there still. `secure_delete` overwrites a row
 * that is deleted, but not the copies of rows that remain where SQLite has distributed the rows of pages again. Source: SQLite,
 * "Database File Format", 1.6.
 */
export function unusedOf(page: Buffer, pageNumber: number, usableSize: number): Span[] {
  const start = pageNumber === 1 ? 100 : 0;
  const headerSize = HEADER_SIZES[page[start] ?? 0];
  if (headerSize === undefined) return [];
  const rowsStart = page.readUInt16BE(start + 5) || 65_536;
  const gap = { from: start + headerSize + 2 * page.readUInt16BE(start + 3), until: rowsStart };
  if (gap.from > gap.until || gap.until > usableSize) return [];
  return [gap, ...freeBlocks(page, page.readUInt16BE(start + 1), usableSize)];
}

/** The blocks between rows, without the four bytes that chain them. */
function freeBlocks(page: Buffer, first: number, usableSize: number): Span[] {
  const blocks: Span[] = [];
  for (let at = first; at !== 0; ) {
    const [next, until] = [page.readUInt16BE(at), at + page.readUInt16BE(at + 2)];
    if (until > usableSize || (next !== 0 && next < until)) return [];
    blocks.push({ from: at + 4, until });
    at = next;
  }
  return blocks;
}
