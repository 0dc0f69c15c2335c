import { svg, type SVGTemplateResult } from 'lit';

/** Parts of a replay that the profile tells apart. */
export const PROFILE_PARTS = 300;

/** Returns the outline of the speeds of equal parts as the data of a path; empty where none is known. */
export function profileOutline(speeds: readonly (number | null)[]): string {
  const highest = Math.max(1, ...speeds.map((speed) => speed ?? 0));
  const bars = speeds.map((speed, at) => {
    const top = (100 - (90 * (speed ?? 0)) / highest).toFixed(1);
    return speed === null ? '' : `M${at} 100V${top}H${at + 1}V100z`;
  });
  return bars.join('');
}

/** Renders an outline as an area, as large as its container, with a mark at a part of it from 0 to 1. */
export function speedProfile(outline: string, marked: number): SVGTemplateResult {
  const at = (marked * PROFILE_PARTS).toFixed(2);
  return svg`<svg class="profile" viewBox="0 0 ${PROFILE_PARTS} 100" preserveAspectRatio="none" aria-hidden="true">
    <path d=${outline} /><line x1=${at} x2=${at} y2="100" vector-effect="non-scaling-stroke" /></svg>`;
}
