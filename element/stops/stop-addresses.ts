import {
  type Address,
  addressText,
  type GeocodingProvider,
  providerAddress,
  type ReverseGeocodeHandler,
} from './reverse-geocoder.ts';
import type { AddressState } from './stop-popup.ts';
import type { TripStop } from '../trips/trip.ts';

/** The detail of `address-not-found`. */
export interface AddressNotFound {
  readonly message: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What becomes of a failed look-up: the default geocoder's is `address-not-found`, a handler's failure is an error. */
export interface AddressListener {
  notFound(detail: AddressNotFound): void;
  failed(error: unknown): void;
}

/** Looks up the addresses of stops, each once. */
export class StopAddresses {
  readonly #known = new WeakMap<TripStop, string>();
  readonly #handler: ReverseGeocodeHandler | null;
  readonly #provider: GeocodingProvider;
  readonly #listener: AddressListener;

  constructor(handler: ReverseGeocodeHandler | null, provider: GeocodingProvider, listener: AddressListener) {
    this.#handler = handler;
    this.#provider = provider;
    this.#listener = listener;
  }

  async of(stop: TripStop): Promise<AddressState> {
    const text = this.#known.get(stop) ?? (await (this.#handler ? this.#byHandler(stop) : this.#byProvider(stop)));
    if (!text) return 'missing';
    this.#known.set(stop, text);
    return { text };
  }

  async #byHandler({ position: [longitude, latitude] }: TripStop): Promise<string> {
    try {
      return textOf(await this.#handler?.(longitude, latitude));
    } catch (error) {
      this.#listener.failed(error);
      return '';
    }
  }

  async #byProvider({ position: [longitude, latitude] }: TripStop): Promise<string> {
    const missing = (message: string): string => {
      this.#listener.notFound({ message, latitude, longitude });
      return '';
    };
    try {
      return textOf(await providerAddress(longitude, latitude, this.#provider)) || missing('Address not found');
    } catch {
      return missing('Address unavailable');
    }
  }
}

function textOf(address: Address | null | undefined): string {
  return address ? addressText(address) : '';
}
