import type { Padding } from '../../schema/trips/trip-drawing.ts';

/** A box in pixels. */
export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

type Side = keyof Padding;

/** Width below which a map has little room: its flags are smaller, and lines go closer to its edges. */
const NARROW = 400;
/** Size of flags on a narrow map, as a fraction of the usual size. */
const NARROW_FLAG = 0.7;
/** Room that a mark of a start, a stop or an end takes beside the line. */
const MARK = 20;
/** Room that an end's flag takes above the line. */
const FLAG = 48;
/** Part of the width or height that must be left for the lines, else only the wider strip is excluded, or only the edges. */
const LEAST = 0.45;

/** Returns the size of flags on a map of a width, as a fraction of the largest. */
export function flagScale(width: number): number {
  return width < NARROW ? NARROW_FLAG : 1;
}

/** Returns how far lines stay from the edges of a map of a size. */
function edgeOf(width: number, height: number): number {
  return Math.min(width < NARROW ? MARK : 56, Math.floor(Math.min(width, height) / 9));
}

/**
 * Returns the padding of a view in which marks and lines lie neither at the edges of a map nor below the panels and controls
 * that cover it: each is excluded by the strip that leaves most room. `atLeast` is excluded at every edge.
 */
export function viewPadding(map: Box, covers: readonly Box[], atLeast?: number): Padding {
  const [width, height] = [map.right - map.left, map.bottom - map.top];
  const edge = atLeast ?? edgeOf(width, height);
  const plain = { top: edge + Math.min(28, edge), right: edge, bottom: edge, left: edge };
  const flag = FLAG * flagScale(width);
  const padding: Record<Side, number> = { ...plain };
  /** Grows with the area and, more so, with the lesser of width and height, on which the zoom depends. */
  const roomIn = ({ top, right, bottom, left }: Padding): number => {
    const [wide, high] = [Math.max(0, width - left - right), Math.max(0, height - top - bottom)];
    return wide * high * Math.min(wide, high) ** 2;
  };
  for (const cover of covers) {
    const strips: readonly (readonly [Side, number])[] = [
      ['top', cover.bottom - map.top + flag],
      ['bottom', map.bottom - cover.top + MARK],
      ['left', cover.right - map.left + MARK],
      ['right', map.right - cover.left + MARK],
    ];
    const without = ([side, strip]: readonly [Side, number]) => ({
      ...padding,
      [side]: Math.max(padding[side], Math.ceil(strip)),
    });
    const [best] = strips.map(without).toSorted((one, other) => roomIn(other) - roomIn(one));
    Object.assign(padding, best);
  }
  for (const [from, to, size] of [['left', 'right', width] as const, ['top', 'bottom', height] as const]) {
    const [wider, other] = padding[from] > padding[to] ? [from, to] : [to, from];
    for (const side of [other, wider]) {
      if (size - padding[from] - padding[to] < LEAST * size) padding[side] = plain[side];
    }
  }
  return padding;
}
