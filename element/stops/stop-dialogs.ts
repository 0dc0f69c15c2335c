import type { MapCanvas } from '../map/map-canvas.ts';
import type { GeocodingProvider, ReverseGeocodeHandler } from './reverse-geocoder.ts';
import { type AddressListener, StopAddresses } from './stop-addresses.ts';
import { StopPopup } from './stop-popup.ts';
import type { TripFormat } from '../trips/trip-format.ts';
import type { TripStop } from '../trips/trip.ts';

/** What a popup needs to know of the element at the time when it opens. */
export interface StopDialogView {
  readonly format: TripFormat;
  /** Whether an address is shown. */
  readonly reverseGeocode: boolean;
  readonly reverseGeocodeHandler: ReverseGeocodeHandler | null;
  readonly provider: GeocodingProvider;
}

/** Opens the popups of stops, and keeps the addresses that were found for them. */
export class StopDialogs {
  readonly #listener: AddressListener;
  #addresses: StopAddresses | null = null;

  constructor(listener: AddressListener) {
    this.#listener = listener;
  }

  /** Forgets the addresses: whoever is to be asked for them has changed. */
  forget(): void {
    this.#addresses = null;
  }

  open(stop: TripStop, canvas: MapCanvas | null, view: StopDialogView): void {
    const { format, reverseGeocode, reverseGeocodeHandler, provider } = view;
    const popup = new StopPopup(stop, format);
    popup.show(reverseGeocode ? 'pending' : null);
    canvas?.openPopup(stop, popup.element);
    if (!reverseGeocode) return;
    this.#addresses ??= new StopAddresses(reverseGeocodeHandler, provider, this.#listener);
    void this.#addresses.of(stop).then((address) => popup.show(address));
  }
}
