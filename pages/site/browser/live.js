/**
 * The live map of the front page: sets the element's attributes from the chosen vehicle and day.
 *
 * @module
 */
import { bindChoices } from './choices.js';
import { dayOf, startOfDay } from './days.js';
import { EventLog } from './event-log.js';
import { snippetOf } from './snippet.js';
import { fetchToken, fetchTrips } from './vehicle-trips.js';

const section = document.getElementById('live');
const { componentUrl, mapboxToken } = section.dataset;
const part = (selector) => section.querySelector(selector);
/** Time before the expiry of a token at which it is renewed. */
const MARGIN_SECONDS = 300;
/** Minimum interval between reads of the trips of a moving vehicle. */
const READ_MS = 15_000;

const map = document.createElement('service-trips-map');
const vehicle = part('select[name=vehicle]');
const log = new EventLog(part('.events tbody'));
const days = part('select[name=day]');
const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
let trips = [];
let day = null;
let renewal;
/** Counts openings, so that late responses are ignored. */
let openings = 0;
let readAt = 0;
/** true once the reader has picked a day. */
let isPicked = false;

/** Opens a vehicle at the last day on which it was driven. */
async function open(vehicleKey) {
  const opening = ++openings;
  section.setAttribute('aria-busy', 'true');
  try {
    const token = await renew(vehicleKey);
    const found = await fetchTrips(section.dataset, token, vehicleKey);
    if (opening !== openings) return;
    trips = found;
    set('vehicle-key', vehicleKey);
    set('service-token', token);
    const last = trips.at(-1);
    isPicked = false;
    choose(last ? dayOf(last.started) : null);
    part('.status').textContent = last ? '' : 'No trips yet.';
    if (!map.isConnected) part('.map-frame').append(map);
  } catch (error) {
    if (opening !== openings) return;
    part('.status').textContent = `The trips cannot be shown. ${error.message}`;
  } finally {
    if (opening === openings) section.removeAttribute('aria-busy');
  }
}

async function renew(vehicleKey) {
  clearTimeout(renewal);
  const { token, expires_in } = await fetchToken(vehicleKey);
  renewal = setTimeout(
    async () => {
      const next = await renew(vehicleKey).catch(() => null);
      if (next !== null && map.getAttribute('vehicle-key') === vehicleKey) set('service-token', next);
    },
    (expires_in - MARGIN_SECONDS) * 1000,
  );
  return token;
}

/** Reads the trips again from time to time while the vehicle moves, and shows those of today unless the reader has picked a day. */
async function readGrown() {
  const now = Date.now();
  const opening = openings;
  if (now - readAt < READ_MS) return;
  readAt = now;
  const key = map.getAttribute('vehicle-key');
  const found = await fetchTrips(section.dataset, map.getAttribute('service-token'), key).catch(() => null);
  if (found === null || opening !== openings) return;
  trips = found;
  const today = dayOf(now);
  choose(isPicked ? day : today);
}

/** Shows a day. */
function choose(chosen) {
  day = chosen;
  set('started-after', day === null ? null : startOfDay(day));
  listDays();
  writeSnippet();
}

function writeSnippet() {
  part('#live-snippet').replaceChildren(...snippetOf(componentUrl, map));
}

/** Lists the days that have trips, and the one that is shown, the newest first. */
function listDays() {
  const counts = new Map(day === null ? [] : [[day, 0]]);
  for (const { started } of trips) counts.set(dayOf(started), (counts.get(dayOf(started)) ?? 0) + 1);
  const rows = [...counts].sort().reverse();
  const texts = rows.map(
    ([one, count]) => `${DAY.format(new Date(`${one}T12:00:00`))}, ${count} ${count === 1 ? 'trip' : 'trips'}`,
  );
  // A list that is open stays so.
  if (String(texts) !== String([...days.options].map(({ text }) => text))) {
    days.replaceChildren(...rows.map(([one], at) => new Option(texts[at], one)));
  }
  days.value = day ?? '';
}

function set(name, value) {
  if (value === null) map.removeAttribute(name);
  else if (map.getAttribute(name) !== value) map.setAttribute(name, value);
}

if (mapboxToken) set('map-provider-access-token', mapboxToken);
set('live', '');
set('trip-list', '');
// Like the list of days, which are the reader's.
set('time-zone', 'reader');
log.listen(map);
map.addEventListener('live-position', readGrown);
vehicle.addEventListener('change', () => open(vehicle.value));
days.addEventListener('change', () => {
  isPicked = true;
  choose(days.value);
});
part('[data-clear-events]').addEventListener('click', () => log.clear());
bindChoices(part('.attributes'), (name, value) => {
  set(name, value);
  writeSnippet();
});
part('.bench').hidden = false;
open(vehicle.value);
