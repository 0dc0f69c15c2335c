/**
 * What the one built file does when a page loads it: it defines `<service-trips-map>`, unless the page has one already
 * (the file loaded twice, or another version of it).
 *
 * @module
 */
import { ServiceTripsMap } from './service-trips-map.ts';

if (!customElements.get('service-trips-map')) customElements.define('service-trips-map', ServiceTripsMap);
