import type { EngineMap } from './engine-map.ts';

/** Returns the theme that suits the background of a map's style, for an expression the last color; null if it has none. */
export function themeOfStyle(map: EngineMap): 'light' | 'dark' | null {
  const background = map.getStyle()?.layers?.find(({ type }) => type === 'background');
  const color: unknown = background && map.getPaintProperty(background.id, 'background-color' as never);
  const last = [color].flat(Infinity).findLast((part) => typeof part === 'string' && CSS.supports('color', part));
  const [red, green, blue] = typeof last === 'string' ? channelsOf(last) : [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110 ? 'dark' : 'light';
}

/** Reads a color of CSS as red, green and blue from 0 to 255; empty if it is transparent. */
function channelsOf(color: string): readonly number[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return [];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, opacity = 0] = context.getImageData(0, 0, 1, 1).data;
  return opacity < 255 ? [] : [red, green, blue];
}
