/**
 * The page of the component: the live element takes the state of a chosen example, or edited
 * attributes. The address of the page contains either, so that it can be shared.
 *
 * @module
 */
import { dayOf, startOfDay } from './days.js';
import { EventLog } from './event-log.js';
import { fetchToken, fetchTrips } from './vehicle-trips.js';

const stage = document.querySelector('.stage');
const { siteUrl, mapboxToken, vehicle } = stage.dataset;
const output = stage.querySelector('output');
const form = stage.querySelector('form');
const buttons = [...document.querySelectorAll('[data-example]:not(:disabled)')];
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const outlines = new CSSStyleSheet();
const map = document.createElement('service-trips-map');
/** Values of `{…}` in examples, and the initial attributes of the element. */
let values = {};
let token = '';

/** Attributes that an address must not set, since its author could choose where tokens are sent. */
const OWN = ['service-url', 'service-token', 'map-provider-url', 'map-provider-access-token'];

const STEPS = {
  geocode() {
    map.reverseGeocodeHandler = async (longitude, latitude) => ({
      street: `${latitude.toFixed(3)} Example Street`,
      city: 'Example',
      state: longitude.toFixed(3),
    });
    whenDrawn(openStop);
  },
  provide() {
    map.tokenProvider = freshToken;
  },
  label() {
    map.tokenProvider = freshToken;
    map.vehicleLabels = { [vehicle]: 'Van' };
  },
  unfollow() {
    map.addEventListener('live-connected', () => map.removeAttribute('live'), { once: true });
  },
  hold() {
    map.tokenProvider = () => new Promise(() => {});
  },
  reload: () => map.reload(),
  reinsert() {
    const frame = map.parentElement;
    map.remove();
    frame.append(map);
  },
  'open-stop': () => whenDrawn(openStop),
  point: () => whenDrawn(pointAtLine),
  'focus-end': () => whenDrawn(focusEnd),
  play: () => whenDrawn(() => map.shadowRoot.querySelector('[part~=replay] button')?.click()),
  'read-trips': () => say(`${map.trips.length} trips, the first with ${map.trips[0]?.path.length ?? 0} positions`),
  'read-map': () => say(map.map === null ? 'null' : map.map instanceof HTMLImageElement ? 'an image' : 'a Map'),
  'read-state': () => say(String(map.state)),
};

async function freshToken() {
  return (await fetchToken(vehicle, '../demo/token')).token;
}

function say(text) {
  output.textContent = text;
}

/** Runs an action when the trips are drawn: now, unless they are about to be drawn again. */
function whenDrawn(action) {
  const drawn = map.state === null && map.map !== null && map.updateComplete;
  if (drawn) drawn.then(() => setTimeout(() => (map.state === null ? action() : whenDrawn(action))));
  else map.addEventListener('trip-render', () => setTimeout(action), { once: true });
}

/** Moves a pointer along the lines, as a mouse would, until it is on one: stops cover lines. */
function pointAtLine() {
  // A map ignores the pointer while it is being drawn.
  if (!map.map.loaded()) return void map.map.once('idle', pointAtLine);
  const canvas = map.map.getCanvas();
  const { left, top } = canvas.getBoundingClientRect();
  for (const position of map.trips.flatMap(({ path }) => path)) {
    const { x, y } = map.map.project(position);
    canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: left + x, clientY: top + y }));
    if (map.shadowRoot.querySelector('[part~=tooltip]')) return;
  }
}

/** The one button of all starts, stops and ends. */
const stopButton = () => map.shadowRoot.querySelector('[part~=stop]');
const openStop = () => stopButton()?.click();

/** Moves the focus to the end of the last trip, as the key End does. */
function focusEnd() {
  const button = stopButton();
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
}

function attributesOf(example) {
  const theme = example.attributes?.theme ?? 'auto';
  const isDark = theme === 'dark' || (theme === 'auto' && darkScheme.matches);
  values.style = `${siteUrl}/map/style${isDark ? '' : '-dark'}.json`;
  const base = {
    'map-provider-access-token': mapboxToken ?? null,
    'service-token': token,
    'vehicle-key': vehicle,
    'started-after': values.day,
  };
  return Object.entries({ ...base, ...example.attributes }).filter(([, value]) => value !== null);
}

const filled = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

/** Gives the element the state of an example, and resets everything else. */
function show(example) {
  const wanted = new Map(attributesOf(example).map(([name, value]) => [name, filled(value)]));
  if (wanted.get('map-provider-access-token') === 'pk.…') wanted.set('map-provider-access-token', mapboxToken);
  map.reverseGeocodeHandler = null;
  map.tokenProvider = null;
  map.vehicleLabels = null;
  map.replaceChildren();
  for (const name of [...map.style]) map.style.removeProperty(name);
  for (const [name, value] of Object.entries(example.style ?? {})) map.style.setProperty(name, value);
  const selected = example.part ? `::part(${example.part})` : example.state ? `:state(${example.state})` : null;
  outlines.replaceSync(
    selected ? `service-trips-map${selected} { outline: 3px solid #e8590c; outline-offset: -3px; }` : '',
  );
  if (example.slot) {
    const content = document.createElement('p');
    content.slot = example.slot;
    content.className = 'slotted';
    content.textContent = `Your content in the slot “${example.slot}”`;
    map.append(content);
  }
  for (const name of map.getAttributeNames()) if (!wanted.has(name) && name !== 'style') map.removeAttribute(name);
  for (const [name, value] of wanted) if (map.getAttribute(name) !== value) map.setAttribute(name, value);
  // The style of a line is read when it is drawn.
  if (example.style || map.dataset.styled) map.requestUpdate('theme');
  map.toggleAttribute('data-styled', example.style !== undefined);
  STEPS[example.step]?.();
}

function press(button) {
  for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
  const example = button === null ? {} : JSON.parse(button.dataset.example);
  say(button === null ? 'Reset.' : filled(example.code));
  show(example);
  form.elements.attributes.value = Object.entries(example.attributes ?? {})
    .filter(([name, value]) => value !== null && !OWN.includes(name))
    .map(([name, value]) => (value === '' ? name : `${name}="${filled(value)}"`))
    .join(' ');
  rememberInAddress(button && ['example', button.dataset.id]);
}

/** Applies the edited attributes to the element. */
function apply(text) {
  for (const button of buttons) button.setAttribute('aria-pressed', 'false');
  // A separate document, in which no scripts run.
  const written = new DOMParser().parseFromString(`<p ${text}></p>`, 'text/html').body.firstElementChild;
  const known = map.constructor.observedAttributes.filter((name) => !OWN.includes(name));
  const names = written?.getAttributeNames() ?? [];
  const ignored = names.filter((name) => !known.includes(name));
  show({
    attributes: Object.fromEntries(
      names.filter((name) => known.includes(name)).map((name) => [name, written.getAttribute(name)]),
    ),
  });
  say(ignored.length === 0 ? 'Applied. The address of this page shows the same.' : `Ignored: ${ignored.join(', ')}`);
  form.elements.attributes.value = text;
  rememberInAddress(text === '' ? null : ['attributes', text]);
}

function rememberInAddress(parameter) {
  const query = parameter === null ? '' : `?${new URLSearchParams([parameter])}`;
  history.replaceState(null, '', `${location.pathname}${query}${location.hash}`);
}

/** Applies the address of the page to the element. */
function readAddress() {
  const parameters = new URLSearchParams(location.search);
  const button = buttons.find(({ dataset }) => dataset.id === parameters.get('example'));
  if (button) press(button);
  else if (parameters.has('attributes')) apply(parameters.get('attributes'));
}

/** The last day with several trips, else the last with one. */
function fullDay(trips) {
  const days = trips.map(({ started }) => dayOf(started));
  return days.findLast((day, at) => days[at - 2] === day) ?? days.at(-1);
}

async function begin() {
  token = await freshToken();
  const trips = await fetchTrips(stage.dataset, token, vehicle);
  const last = trips.at(-1);
  if (last) {
    const day = fullDay(trips);
    const next = new Date(`${day}T12:00:00`);
    next.setDate(next.getDate() + 1);
    values = { vehicle, trip: last.key, day: startOfDay(day), next: startOfDay(dayOf(next)) };
  }
  show({});
  stage.querySelector('.map-frame').append(map);
  for (const button of buttons) {
    const code = button.querySelector('code');
    // It sets the style that the example then has.
    attributesOf(JSON.parse(button.dataset.example));
    code.textContent = filled(code.textContent);
    button.addEventListener('click', () => press(button));
  }
  stage.querySelector('[data-reset]').addEventListener('click', () => press(null));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apply(form.elements.attributes.value.trim());
  });
  readAddress();
  setInterval(async () => {
    token = await freshToken().catch(() => token);
  }, 45 * 60_000);
}

document.adoptedStyleSheets = [outlines];
new EventLog(stage.querySelector('tbody')).listen(map);
begin().catch((error) => say(`The trips cannot be shown. ${error.message}`));
