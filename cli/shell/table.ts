/** A list for people: names of columns, and the rows below them. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = '  ';
/** Minimum width of a column, unless its content is narrower. */
const MIN_WIDTH = 6;

/**
 * Formats a table in lines.
 *
 * @param width columns of the terminal, into which the lines fit; null to truncate nothing
 */
export function formatTable({ columns, rows }: Table, width: number | null): string[] {
  const cells = [
    columns.map((name) => name.toUpperCase().replace(/[._]/g, ' ')),
    ...rows.map((row) => row.map(printable)),
  ];
  const contents = columns.map((_, at) => Math.max(...cells.map((row) => displayWidth(row[at] ?? ''))));
  const widths = width === null ? contents : fitted(contents, width - GAP.length * (columns.length - 1));
  return cells.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Narrows the widest columns until all fit; the first, which holds the key, is narrowed last. */
function fitted(contents: readonly number[], available: number): number[] {
  const widths = [...contents];
  const total = () => widths.reduce((sum, one) => sum + one, 0);
  for (const candidates of [widths.map((_, at) => at).slice(1), [0]]) {
    while (total() > available) {
      const widest = candidates.reduce(
        (one, at) => ((widths[at] ?? 0) > (widths[one] ?? 0) ? at : one),
        candidates[0] ?? 0,
      );
      const now = widths[widest] ?? 0;
      if (now <= MIN_WIDTH) break;
      widths[widest] = now - 1;
    }
  }
  return widths;
}

function padded(cell: string, width: number): string {
  const wide = displayWidth(cell);
  if (wide <= width) return cell + ' '.repeat(width - wide);
  let kept = '';
  let used = 1;
  for (const character of cell) {
    used += displayWidth(character);
    if (used > width) break;
    kept += character;
  }
  const truncated = `${kept}…`;
  return truncated + ' '.repeat(Math.max(0, width - displayWidth(truncated)));
}

/** Replaces what would control a terminal, such as the escape sequences of a name that a stranger has chosen. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => (/\p{Cf}/u.test(character) ? '' : ' '));
}

/** Columns that a text takes on a terminal: two for a wide character of East Asia, none for a combining one. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    const isWide =
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
    width += isWide.test(character) || (character.codePointAt(0) ?? 0) >= 0x20000 ? 2 : 1;
  }
  return width;
}
