/** State of the live element on the component's page after a reader chooses an example; everything else is reset. */
export interface ComponentExample {
  /** Code of the example; `{trip}`, `{day}`, `{next}` and `{style}` stand for those of the demonstration. */
  readonly code: string;
  /** Attributes; null removes one. */
  readonly attributes?: Readonly<Record<string, string | null>>;
  /** A step of the page's script (`component.js`), after the attributes. */
  readonly step?:
    | 'geocode'
    | 'provide'
    | 'label'
    | 'unfollow'
    | 'hold'
    | 'reload'
    | 'reinsert'
    | 'open-stop'
    | 'play'
    | 'point'
    | 'focus-end'
    | 'read-trips'
    | 'read-map'
    | 'read-state';
  /** A slot to fill. */
  readonly slot?: string;
  /** Custom properties of the element, or a part or state to outline. */
  readonly style?: Readonly<Record<string, string>>;
  readonly part?: string;
  readonly state?: string;
  /** True if it needs a map provider. */
  readonly provider?: true;
}

const NOWHEN = '2001-01-01';
const NO_TRIPS = { 'started-after': NOWHEN };
const NO_SERVICE = { 'service-url': '/no-such-service' };
const NO_TOKEN = { 'service-token': null };
/** Trips up to now: those of a day that is past have no vehicle that is live. */
const LIVE = { live: '', 'started-after': null };
const SEVERAL = { ...LIVE, 'vehicle-keys': '{vehicle}' };

const set = (name: string, value: string, more: Partial<ComponentExample> = {}): ComponentExample => ({
  code: value === '' ? name : `${name}="${value}"`,
  ...more,
  attributes: { [name]: value, ...more.attributes },
});

const outline = (part: string, more: Partial<ComponentExample> = {}): ComponentExample => ({
  code: `::part(${part})`,
  part,
  ...more,
});

const outlineIn = (state: string, more: Partial<ComponentExample>): ComponentExample => ({
  code: `service-trips-map:state(${state})`,
  state,
  ...more,
});

const fill = (slot: string, more: Partial<ComponentExample>): ComponentExample => ({
  code: `<p slot="${slot}">…</p>`,
  slot,
  ...more,
});

const style = (name: string, value: string, attributes: Record<string, string | null> = {}): ComponentExample => ({
  code: `${name}: ${value}`,
  style: { [name]: value },
  attributes,
});

/** Kinds of items in the manifest. */
export type ComponentKind = 'attributes' | 'members' | 'events' | 'slots' | 'cssParts' | 'cssStates' | 'cssProperties';

/** Examples by the kind and name of what they show; {@link examplesOf} adds those of other attributes. */
export const COMPONENT_EXAMPLES: Readonly<
  Record<ComponentKind, Readonly<Record<string, readonly ComponentExample[]>>>
> = {
  attributes: {
    'map-provider-access-token': [set('map-provider-access-token', 'pk.…', { provider: true })],
    'service-token': [{ code: 'service-token="…"' }, { code: 'no service-token', attributes: NO_TOKEN }],
    'vehicle-key': [{ code: 'vehicle-key="{vehicle}"' }, set('vehicle-key', 'another')],
    'trip-key': [set('trip-key', '{trip}')],
    'started-after': [set('started-after', '{day}')],
    'started-before': [set('started-before', '{next}', { attributes: { 'started-after': null } })],
    'map-type': [set('map-type', 'interactive'), set('map-type', 'static', { provider: true })],
    'map-style': [set('map-style', '{style}')],
    'default-center': [set('default-center', '10.45,51.16', { attributes: NO_TRIPS })],
    'default-zoom': [
      set('default-zoom', '1', { attributes: NO_TRIPS }),
      set('default-zoom', '6', { attributes: NO_TRIPS }),
    ],
    'reverse-geocode': [set('reverse-geocode', '', { step: 'geocode' })],
    'service-url': [set('service-url', '/no-such-service')],
    'map-provider-url': [set('map-provider-url', 'https://api.mapbox.com', { provider: true })],
    'map-style-dark': [set('map-style-dark', '{style}', { attributes: { theme: 'dark' } })],
    'cooperative-gestures': ['on', 'off'].map((value) => set('cooperative-gestures', value)),
    'vehicle-keys': [set('vehicle-keys', '{vehicle}', { attributes: LIVE, step: 'provide' })],
    debug: [set('debug', '', { attributes: NO_SERVICE })],
    'time-zone': ['reader', 'Asia/Tokyo'].map((zone) => set('time-zone', zone, { attributes: { 'trip-list': '' } })),
    locale: ['en-GB', 'de', 'pt-BR', 'es'].map((locale) => set('locale', locale, { attributes: { 'trip-list': '' } })),
  },
  members: {
    reverseGeocodeHandler: [
      {
        code: 'element.reverseGeocodeHandler = async (longitude, latitude) => …',
        attributes: { 'reverse-geocode': '' },
        step: 'geocode',
      },
    ],
    tokenProvider: [{ code: 'element.tokenProvider = async () => …', attributes: NO_TOKEN, step: 'provide' }],
    vehicleLabels: [{ code: "element.vehicleLabels = { '{vehicle}': 'Van' }", attributes: SEVERAL, step: 'label' }],
    trips: [{ code: 'element.trips', step: 'read-trips' }],
    map: [{ code: 'element.map', step: 'read-map' }],
    state: [{ code: 'element.state', step: 'read-state' }],
    reload: [{ code: 'element.reload()', step: 'reload' }],
  },
  events: {
    mount: [{ code: 'Put it back into the page', step: 'reinsert' }],
    unmount: [{ code: 'Remove it from the page', step: 'reinsert' }],
    'map-load': [{ code: 'Create the map again', step: 'reinsert' }],
    'trip-loading': [{ code: 'Load the trips again', step: 'reload' }],
    'api-error': [{ code: 'Use an address without a service', attributes: NO_SERVICE }],
    'auth-error': [{ code: 'Remove the token', attributes: NO_TOKEN }],
    'trip-render': [{ code: 'Show another trip', attributes: { 'trip-key': '{trip}' } }],
    error: [{ code: 'Set default-center="somewhere"', attributes: { 'default-center': 'somewhere' } }],
    'address-not-found': [
      { code: 'Look up an address without a provider', attributes: { 'reverse-geocode': '' }, step: 'open-stop' },
    ],
    'live-connected': [{ code: 'Follow the vehicle', attributes: LIVE }],
    'live-position': [{ code: 'Follow the vehicle to its next position', attributes: LIVE }],
    'live-disconnected': [{ code: 'Follow the vehicle, then stop', attributes: LIVE, step: 'unfollow' }],
  },
  slots: {
    loading: [fill('loading', { attributes: NO_TOKEN, step: 'hold' })],
    empty: [fill('empty', { attributes: NO_TRIPS })],
    error: [fill('error', { attributes: NO_SERVICE })],
    'sign-in': [fill('sign-in', { attributes: NO_TOKEN })],
  },
  cssParts: {
    map: [outline('map')],
    image: [outline('image', { attributes: { 'map-type': 'static' }, provider: true })],
    stop: [outline('stop'), outline('stop-start'), outline('stop-end', { step: 'focus-end' })],
    popup: [outline('popup', { step: 'open-stop' })],
    state: [
      outline('state', { attributes: NO_TRIPS }),
      outline('state-error', { attributes: NO_SERVICE }),
      outline('state-sign-in', { attributes: NO_TOKEN }),
    ],
    'trip-list': [outline('trip-list', { attributes: { 'trip-list': '' } })],
    trip: [outline('trip', { attributes: { 'trip-list': '' } })],
    legend: [outline('legend', { attributes: { 'color-by': 'speed' } })],
    tooltip: [outline('tooltip', { step: 'point' })],
    replay: [outline('replay', { attributes: { replay: '' } })],
    speeds: [outline('speeds', { attributes: { replay: '' } })],
    vehicle: [
      outline('vehicle', { attributes: { replay: '' }, step: 'play' }),
      outline('vehicle-live', { attributes: LIVE }),
    ],
    live: [outline('live', { attributes: LIVE })],
    'live-age': [outline('live-age', { attributes: LIVE })],
    'live-vehicle': [outline('live-vehicle', { attributes: SEVERAL, step: 'provide' })],
    notice: [
      outline('notice', {
        attributes: { 'map-type': 'static', 'started-after': null },
        provider: true,
      }),
    ],
  },
  cssStates: {
    loading: [outlineIn('loading', { attributes: NO_TOKEN, step: 'hold' })],
    empty: [outlineIn('empty', { attributes: NO_TRIPS })],
    error: [outlineIn('error', { attributes: NO_SERVICE })],
    'sign-in': [outlineIn('sign-in', { attributes: NO_TOKEN })],
    dark: [outlineIn('dark', { attributes: { theme: 'dark' } })],
  },
  cssProperties: {
    '--trips-map-line-color': [style('--trips-map-line-color', '#c2255c', { 'trip-key': '{trip}' })],
    '--trips-map-line-width': [style('--trips-map-line-width', '10')],
    '--trips-map-line-casing': [style('--trips-map-line-casing', '#ffd43b')],
    '--trips-map-surface': [style('--trips-map-surface', '#fff4e6', { 'trip-list': '', theme: 'light' })],
    '--trips-map-text': [style('--trips-map-text', '#862e9c', { 'trip-list': '', theme: 'light' })],
    '--trips-map-muted': [style('--trips-map-muted', '#c2255c', { 'trip-list': '', theme: 'light' })],
    '--trips-map-accent': [style('--trips-map-accent', '#e8590c', { replay: '' })],
    '--trips-map-error': [style('--trips-map-error', '#862e9c', NO_SERVICE)],
    '--trips-map-ground': [style('--trips-map-ground', '#ffe8cc', { 'map-style': '/no-such-style.json' })],
    '--trips-map-radius': [style('--trips-map-radius', '48px')],
    '--trips-map-font': [style('--trips-map-font', 'Georgia, serif', { 'trip-list': '' })],
  },
};

/** Returns the examples of one thing: those written above or, of an attribute without any, its presence or each of its values. */
export function examplesOf(
  kind: ComponentKind,
  { name, type }: { readonly name: string; readonly type?: { readonly text: string } },
): readonly ComponentExample[] {
  const written = COMPONENT_EXAMPLES[kind][name];
  if (written || kind !== 'attributes') return written ?? [];
  if (type?.text === 'boolean') return [set(name, '')];
  const values = [...(type?.text ?? '').matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
  return values.length > 0 ? values.map((value) => set(name, value)) : [{ code: `${name}="…"` }];
}
