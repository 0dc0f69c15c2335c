import { CONTOUR_VIEW, contourPaths } from './contours.ts';

/** Heights at which the relief has a line; every third is drawn stronger, as on a hiking map. */
const LEVELS = Array.from({ length: 12 }, (_, index) => -0.24 + index * 0.1);

/** The relief as a picture in black, to be used as a mask over the page's own colour. */
export function reliefSvg(): string {
  const lines = contourPaths(LEVELS).map(
    (path, index) => `<path d="${path}"${index % 3 === 0 ? ' stroke-width="1.8"' : ''}/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${CONTOUR_VIEW}" preserveAspectRatio="xMaxYMid slice"><g fill="none" stroke="#000" stroke-width="1" stroke-linecap="round">${lines.join('')}</g></svg>`;
}
