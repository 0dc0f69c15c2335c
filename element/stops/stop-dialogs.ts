import type { Leg } from '../engine/marked-stops.ts';
import type { MapCanvas } from '../engine/map-canvas.ts';
import {
  type Address,
  addressText,
  type GeocodingProvider,
  providerAddress,
  type ReverseGeocodeHandler,
} from './reverse-geocoder.ts';
import { type AddressState, StopPopup } from './stop-popup.ts';
import type { TripFormat } from '../trips/trip-format.ts';
import type { Trip, TripStop } from '../trips/trip.ts';

/** Detail of `address-not-found`. */
export interface AddressNotFound {
  readonly message: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Callbacks for look-ups that fail: the provider's is `address-not-found`, a handler's is an error. */
interface AddressListener {
  notFound(detail: AddressNotFound): void;
  failed(error: unknown): void;
}

/** State of the element when a popup opens. */
interface StopDialogView {
  readonly format: TripFormat;
  /** Shows the address. */
  readonly reverseGeocode: boolean;
  /** Replaces the provider as source of addresses. */
  readonly reverseGeocodeHandler: ReverseGeocodeHandler | null;
  readonly provider: GeocodingProvider;
  /** The trip of the stop, and the way to its next one; null if there is none. */
  readonly trip: Trip | null;
  readonly next: Leg | null;
}

type Geocoders = Pick<StopDialogView, 'reverseGeocodeHandler' | 'provider'>;

/** Opens the popups of stops, and looks up the address of each stop once. */
export class StopDialogs {
  #addresses = new WeakMap<TripStop, string>();

  constructor(private readonly listener: AddressListener) {}

  /** Discards the addresses, because the geocoder has changed. */
  clear(): void {
    this.#addresses = new WeakMap();
  }

  open(stop: TripStop, canvas: MapCanvas | null, view: StopDialogView): void {
    const popup = new StopPopup(stop, view);
    popup.show(view.reverseGeocode ? 'pending' : null);
    canvas?.openPopup(stop, popup.element);
    if (view.reverseGeocode) void this.addressOf(stop, view).then((address) => popup.show(address));
  }

  /** Looks up the address of a stop; reports a failure to the listener. */
  async addressOf(stop: TripStop, view: Geocoders): Promise<AddressState> {
    const addresses = this.#addresses;
    const text = addresses.get(stop) ?? (await this.#lookUp(stop, view));
    if (!text) return 'missing';
    addresses.set(stop, text);
    return { text };
  }

  /** Returns the address as text; empty if there is none, which has then been reported. */
  async #lookUp({ position: [longitude, latitude] }: TripStop, view: Geocoders): Promise<string> {
    const { reverseGeocodeHandler: handler, provider } = view;
    const textOf = (address: Address | null | undefined): string => (address ? addressText(address) : '');
    const notFound = (message: string): void => this.listener.notFound({ message, latitude, longitude });
    try {
      if (handler) return textOf(await handler(longitude, latitude));
      const text = textOf(await providerAddress(longitude, latitude, provider));
      if (!text) notFound('Address not found');
      return text;
    } catch (error) {
      if (handler) this.listener.failed(error);
      else notFound('Address unavailable');
      return '';
    }
  }
}
