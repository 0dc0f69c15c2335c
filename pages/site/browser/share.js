/**
 * The page of a share, and the page that other pages frame: the map, which follows the shared vehicle or trip, or the vehicles of a group, or replays a trip
 * that has ended, and facts about it. If the link has ended or was revoked, the page is loaded again, and shows nothing; if its
 * token has expired, it is loaded again with a new one.
 *
 * @module
 */
import { liveFacts, tripFacts } from './share-facts.js';

const page = document.querySelector('.share');
const { token, vehicleKey, tripKey, mapboxToken } = page.dataset;
const hasEnded = page.dataset.ended !== undefined;
const facts = page.querySelector('.facts');
/** Time from the load of the page before which it is not loaded again, in milliseconds. */
const SOON_MS = 3000;
const map = document.createElement('service-trips-map');
const until = page.querySelector('.until time');

map.addEventListener('auth-error', () => {
  map.remove();
  setTimeout(() => location.reload(), Math.max(0, SOON_MS - performance.now()));
});

if (until) until.textContent = new Date(until.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
if (mapboxToken) map.setAttribute('map-provider-access-token', mapboxToken);
if (vehicleKey) map.setAttribute('vehicle-key', vehicleKey);
else map.setAttribute('vehicle-keys', '*');
map.setAttribute('service-token', token);
if (tripKey) map.setAttribute('trip-key', tripKey);
// A trip that has ended is connected, too: to show nothing as soon as the link ends.
map.toggleAttribute('live', true);
map.toggleAttribute('replay', hasEnded);
if (facts && hasEnded) tripFacts(map, facts);
else if (facts && vehicleKey) liveFacts(map, facts);
page.querySelector('.map-frame').replaceChildren(map);
