import { svg, type TemplateResult } from 'lit';

/** Parts of a replay that the profile tells apart. */
export const PROFILE_PARTS = 300;

/** Renders speeds of equal parts as an area, which leaves out unknown ones; its size is that of its container. */
export function speedProfile(speeds: readonly (number | null)[]): TemplateResult {
  const highest = Math.max(1, ...speeds.map((speed) => speed ?? 0));
  const steps = speeds.flatMap((speed, at) => {
    const top = (100 - (90 * (speed ?? 0)) / highest).toFixed(1);
    return speed === null ? [] : [`M${at} 100V${top}H${at + 1}V100z`];
  });
  return svg`<svg class="profile" viewBox="0 0 ${speeds.length} 100" preserveAspectRatio="none" aria-hidden="true"><path d=${steps.join('')} /></svg>` as TemplateResult;
}
