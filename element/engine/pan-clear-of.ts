import type { Box } from './view-padding.ts';

/** Distance in pixels between a box and the areas that it avoids. */
const MARGIN = 10;

/**
 * Returns how far to pan a map so that a popup lies within it and, if there is room, clear of the
 * panels and controls on it.
 */
export function panClearOf(box: Box, map: Box, covers: readonly Box[]): readonly [x: number, y: number] {
  const overflow = [
    Math.min(0, box.left - map.left - MARGIN) || Math.max(0, box.right - map.right + MARGIN),
    Math.min(0, box.top - map.top - MARGIN) || Math.max(0, box.bottom - map.bottom + MARGIN),
  ] as const;
  // A box in its final position touches an edge of the map or of a cover, or has not moved.
  const xs = covers.flatMap(({ left, right }) => [box.right - left + MARGIN, box.left - right - MARGIN]);
  const ys = covers.flatMap(({ top, bottom }) => [box.bottom - top + MARGIN, box.top - bottom - MARGIN]);
  const pans = [overflow[0], ...xs].flatMap((x) => [overflow[1], ...ys].map((y) => [x, y] as const));
  const isFree = ([x, y]: readonly [number, number]): boolean => {
    const [left, right, top, bottom] = [box.left - x, box.right - x, box.top - y, box.bottom - y];
    const isInside = left > map.left && right < map.right && top > map.top && bottom < map.bottom;
    return (
      isInside &&
      covers.every((cover) => left >= cover.right || right <= cover.left || top >= cover.bottom || bottom <= cover.top)
    );
  };
  const [nearest] = pans.filter(isFree).toSorted((one, other) => Math.hypot(...one) - Math.hypot(...other));
  return nearest ?? overflow;
}
