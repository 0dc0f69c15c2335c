/** Widths of the strips at the edges of a map that the lines are kept out of, in pixels. */
export interface ViewPadding {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** A box in pixels. */
type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

type Side = keyof ViewPadding;

/** Room that a mark of a start, a stop or an end takes beside the line. */
const MARK = 20;
/** Room that an end's flag takes above the line. */
const FLAG = 48;
/** Part of the width or height that must be left to the lines, else only the wider strip is left out, or only the edges. */
const LEAST = 0.45;

/**
 * Returns the padding of a view in which marks and lines lie neither at the edges of a map nor below the panels and controls
 * that cover it: each is left out by the strip that costs least.
 */
export function viewPadding(map: Box, covers: readonly Box[]): ViewPadding {
  const [width, height] = [map.right - map.left, map.bottom - map.top];
  const edge = Math.min(56, Math.floor(Math.min(width, height) / 9));
  const plain = { top: edge + Math.min(28, edge), right: edge, bottom: edge, left: edge };
  const padding: Record<Side, number> = { ...plain };
  for (const cover of covers) {
    const strips: readonly (readonly [Side, number, number])[] = [
      ['top', cover.bottom - map.top + FLAG, height],
      ['bottom', map.bottom - cover.top + MARK, height],
      ['left', cover.right - map.left + MARK, width],
      ['right', map.right - cover.left + MARK, width],
    ];
    const costOf = ([side, strip, size]: readonly [Side, number, number]) => Math.max(0, strip - padding[side]) / size;
    const [cheapest] = strips.toSorted((one, other) => costOf(one) - costOf(other));
    if (cheapest) padding[cheapest[0]] = Math.max(padding[cheapest[0]], Math.ceil(cheapest[1]));
  }
  const within = (from: Side, to: Side, size: number) => {
    const both = { [from]: padding[from], [to]: padding[to] };
    const wider = padding[from] > padding[to] ? { ...both, [to]: plain[to] } : { ...both, [from]: plain[from] };
    const leaves = ([one = 0, other = 0]: readonly number[]) => size - one - other >= LEAST * size;
    return [both, wider].find((strips) => leaves(Object.values(strips))) ?? {};
  };
  return { ...plain, ...within('left', 'right', width), ...within('top', 'bottom', height) };
}
