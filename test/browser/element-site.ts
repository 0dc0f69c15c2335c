import type { LonLat } from '../../element/trips/trip.ts';
import { FAKE_ADDRESS, type FakeMapProvider, startFakeMapProvider } from '../hosts/fake-map-provider.ts';
import type { Engine } from './built-file.ts';
import { type EmbeddingSite, type SitePage, startEmbeddingSite } from './embedding-site.ts';
import { type FakeTripsService, pageOf, startFakeTripsService, wireTrip } from './fake-trips-service.ts';

/** A token of the right form; the loopback service does not look at it. */
export const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;

/** Path of the trip with which the service answers by default. */
export const LINE: LonLat[] = [
  [11.5, 48.1],
  [11.52, 48.12],
  [11.56, 48.13],
];

/** Provider, service and a site that embeds the built file, for pages of any browser. */
export class ElementSite {
  provider!: FakeMapProvider;
  service!: FakeTripsService;
  #site!: EmbeddingSite;

  constructor(private readonly engine: Engine) {}

  async start(): Promise<void> {
    [this.provider, this.service, this.#site] = await Promise.all([
      startFakeMapProvider(),
      startFakeTripsService(),
      startEmbeddingSite(this.engine),
    ]);
  }

  /** From now on the service knows one trip, along {@link LINE}, and nobody has asked. */
  reset(): void {
    this.provider.requests.length = 0;
    this.provider.geocode = [FAKE_ADDRESS];
    this.service.calls.length = 0;
    this.service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
  }

  /** Attributes with which an element shows a map of `vehicle-1`; `null` takes one away. */
  attributes(changes: Readonly<Record<string, string | null>> = {}): string {
    const attributes = {
      ...(this.engine === 'maplibre-gl' ? { 'map-style': 'local-style.json' } : {}),
      'map-provider-url': this.provider.url,
      'map-provider-access-token': 'pk.test',
      'service-url': this.service.url,
      'service-token': TOKEN,
      'vehicle-key': 'vehicle-1',
      ...changes,
    };
    return Object.entries(attributes)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}="${String(value).replaceAll('"', '&quot;')}"`)
      .join(' ');
  }

  /** Adds a page, which loads the component as a module and records its events, and answers its address. */
  addPage(page: SitePage): string {
    return this.#site.add(page);
  }

  async close(): Promise<void> {
    await Promise.all([this.provider.close(), this.service.close(), this.#site.close()]);
  }
}
