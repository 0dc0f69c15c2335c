/**
 * The page of a share: the map, and the age of the newest position, which is read every few seconds, and whenever the
 * stream of a shared vehicle tells something. Where the link has ended or was revoked, the page is loaded again, and shows
 * nothing.
 *
 * @module
 */
const page = document.querySelector('.share');
const { token, vehicleKey, tripKey, graphqlUrl, query, subscription, mapboxToken } = page.dataset;
const INTERVAL_MS = 3000;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'long' });
const map = document.createElement('service-trips-map');
const until = page.querySelector('.until time');

let newest = null;
let hasRead = false;

function ask(text, accept) {
  return fetch(graphqlUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accept, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: text, variables: { vehicle: vehicleKey } }),
    credentials: 'omit',
  });
}

async function read() {
  const answer = await ask(query, 'application/json');
  // An expired token is renewed by it, too.
  if (answer.status === 401) return location.reload();
  const { data } = await answer.json();
  if (!data) return;
  const position = data.trips.nodes[0]?.end_point ?? null;
  const hasMoved = position?.timestamp !== newest?.timestamp;
  newest = position;
  if (hasMoved && hasRead) map.reload();
  hasRead = true;
}

function showAge() {
  if (!hasRead) return;
  const seconds = newest && Math.max(0, Math.round((Date.now() - Date.parse(newest.timestamp)) / 1000));
  page.querySelector('.age').textContent =
    seconds === null ? 'No position since this link was made' : `Newest position ${ageOf(seconds)}`;
}

function ageOf(seconds) {
  if (seconds < 5) return 'just now';
  if (seconds < 60) return relative.format(-seconds, 'second');
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), 'hour');
  return relative.format(-Math.floor(seconds / 86_400), 'day');
}

async function refresh() {
  await read().catch(() => undefined);
  showAge();
}

async function poll() {
  await refresh();
  setTimeout(poll, INTERVAL_MS);
}

/** Reads whenever the vehicle moves; the stream ends when the link does. */
async function follow() {
  const { ok, body } = await ask(subscription, 'text/event-stream');
  const reader = body.getReader();
  while (ok && !(await reader.read()).done) await refresh();
  await refresh();
}

async function keepFollowing() {
  await follow().catch(() => undefined);
  setTimeout(keepFollowing, INTERVAL_MS);
}

until.textContent = new Date(until.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
if (mapboxToken) map.setAttribute('map-provider-access-token', mapboxToken);
map.setAttribute('vehicle-key', vehicleKey);
map.setAttribute('service-token', token);
if (tripKey) map.setAttribute('trip-key', tripKey);
page.querySelector('.map-frame').append(map);
setInterval(showAge, 1000);
poll();
if (!tripKey) keepFollowing();
