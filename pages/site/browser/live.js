/**
 * The live map of the front page: sets the element's attributes from the chosen vehicle and day.
 *
 * @module
 */
import { Calendar } from './calendar.js';
import { bindChoices } from './choices.js';
import { dayOf, startOfDay } from './days.js';
import { EventLog } from './event-log.js';
import { snippetOf } from './snippet.js';
import { distance, duration, TripList } from './trip-list.js';
import { fetchToken, fetchTrips } from './vehicle-trips.js';

const section = document.getElementById('live');
const { componentUrl, mapboxToken } = section.dataset;
const part = (selector) => section.querySelector(selector);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Time before the expiry of a token at which it is renewed. */
const MARGIN_SECONDS = 300;
/** Minimum interval between reads of the trips of a moving vehicle. */
const READ_MS = 15_000;

const map = document.createElement('service-trips-map');
const vehicle = part('select[name=vehicle]');
const units = part('select[name=units]');
const log = new EventLog(part('.events tbody'));
const calendar = new Calendar(part('.calendar'), (chosen) => pick(chosen, null));
const list = new TripList(part('.trip-list'), (key) => pick(day, key === tripKey ? null : key));
let trips = [];
let day = null;
let tripKey = null;
let renewal;
/** Counts openings, so that late responses are ignored. */
let openings = 0;
let readAt = 0;
/** true once the reader has picked a day or a trip. */
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
    choose(last ? dayOf(last.started) : null, null);
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
  if (!isPicked && day !== today) choose(today, null);
  else choose(day, tripKey);
}

function pick(chosenDay, chosenTrip) {
  isPicked = true;
  choose(chosenDay, chosenTrip);
}

/** Shows a day, or one trip of it. */
function choose(chosenDay, chosenTrip) {
  day = chosenDay;
  tripKey = chosenTrip;
  set('started-after', day === null || tripKey !== null ? null : startOfDay(day));
  set('trip-key', tripKey);
  calendar.show(countByDay(), day);
  refresh();
}

function refresh() {
  const shown = trips.filter(({ started }) => dayOf(started) === day);
  const unit = units.value || (Intl.DateTimeFormat().resolvedOptions().locale.endsWith('-US') ? 'mi' : 'km');
  list.show(shown, tripKey, unit);
  part('.status').textContent = summary(shown, unit);
  part('[data-all-trips]').hidden = tripKey === null;
  part('#live-snippet').replaceChildren(...snippetOf(componentUrl, map));
}

function countByDay() {
  const counts = new Map();
  for (const { started } of trips) counts.set(dayOf(started), (counts.get(dayOf(started)) ?? 0) + 1);
  return counts;
}

function summary(shown, unit) {
  if (shown.length === 0) return 'No trips yet.';
  const meters = shown.reduce((sum, trip) => sum + trip.meters, 0);
  const seconds = shown.reduce((sum, trip) => sum + trip.seconds, 0);
  const count = `${shown.length} ${shown.length === 1 ? 'trip' : 'trips'}`;
  return `${count}, ${distance(meters, unit)}, ${duration(seconds)} on the road. Times are in ${zone}.`;
}

function set(name, value) {
  if (value === null) map.removeAttribute(name);
  else if (map.getAttribute(name) !== value) map.setAttribute(name, value);
}

/** The map from which the list takes its colors. */
let painter = null;

/** Copies the colors of the lines from the map, now and after each move; an image has none to copy. */
function paintList({ detail }) {
  if (detail instanceof HTMLImageElement) return;
  if (detail !== painter) detail.on('idle', paint);
  painter = detail;
  paint();
}

function paint() {
  const features = painter.querySourceFeatures('service-trips');
  list.paint(new Map(features.map(({ properties }) => [properties.key, properties.color])));
}

if (mapboxToken) set('map-provider-access-token', mapboxToken);
set('live', '');
// Like the calendar and the list, which use the reader's days.
set('time-zone', 'reader');
log.listen(map);
map.addEventListener('trip-render', paintList);
map.addEventListener('live-position', readGrown);
vehicle.addEventListener('change', () => open(vehicle.value));
part('[data-clear-events]').addEventListener('click', () => log.clear());
part('[data-all-trips]').addEventListener('click', () => {
  choose(day, null);
  part('.trip-list button')?.focus();
});
bindChoices(part('.attributes'), (name, value) => {
  set(name, value);
  refresh();
});
part('.bench').hidden = false;
open(vehicle.value);
