import { ServiceTripsMap } from './service-trips-map.ts';

/**
 * Defines `<service-trips-map>`, unless the page has one already: the script loaded twice, or two versions of it. The
 * first wins, since a definition cannot be changed; that another version does nothing is said on the console.
 */
export function defineElement(): void {
  const present = customElements.get('service-trips-map') as Partial<typeof ServiceTripsMap> | undefined;
  if (!present) {
    customElements.define('service-trips-map', ServiceTripsMap);
    return;
  }
  const { version = 'of unknown version' } = present;
  if (version === ServiceTripsMap.version) return;
  console.warn(
    `<service-trips-map> ${version} is on this page already: it stays, and version ${ServiceTripsMap.version} does nothing. Load one of the two.`,
  );
}
