import { NORMALISED_VALUES, type NormalisedContext, type NormalisedValue } from './normalised.ts';

/** A piece of text: between values, or a value with its rule. */
interface Piece {
  readonly text: string;
  readonly rule: NormalisedValue | null;
}

const ANY_VALUE = new RegExp(NORMALISED_VALUES.map(({ pattern }) => `(${pattern.source})`).join('|'), 'g');

/** Cuts a text into values that have a rule, and what stands between them. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(ANY_VALUE)) {
    const group = found.slice(1).findIndex((value) => value !== undefined);
    pieces.push({ text: text.slice(end, found.index), rule: null });
    pieces.push({ text: found[0], rule: NORMALISED_VALUES[group] ?? null });
    end = found.index + found[0].length;
  }
  return [...pieces, { text: text.slice(end), rule: null }];
}

/** Place in two texts at which they differ by more than the rules allow; null where they mean the same. */
export function firstDifference(
  left: string,
  right: string,
  context: NormalisedContext,
): { readonly left: number; readonly right: number } | null {
  const theirs = piecesOf(left);
  const ours = piecesOf(right);
  const at = { left: 0, right: 0 };
  for (let index = 0; index < Math.max(theirs.length, ours.length); index++) {
    const their = theirs[index];
    const our = ours[index];
    if (their === undefined || our === undefined || !isSamePiece(their, our, context)) {
      const shared = sharedLength(their?.text ?? '', our?.text ?? '');
      return { left: at.left + shared, right: at.right + shared };
    }
    at.left += their.text.length;
    at.right += our.text.length;
  }
  return null;
}

function isSamePiece(left: Piece, right: Piece, context: NormalisedContext): boolean {
  if (left.rule !== right.rule) return false;
  if (left.rule === null) return left.text === right.text;
  return left.rule.isSame(left.text, right.text, context);
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
