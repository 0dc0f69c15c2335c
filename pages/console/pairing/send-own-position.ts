import { pageData } from '../browser/page-data.ts';

const MPH_PER_METER_PER_SECOND = 2.2369363;

/** Callbacks of a browser that sends where it is. */
export interface OwnPositionListener {
  readonly sent: () => void;
  readonly failed: () => void;
}

/** Sends where this browser is with the key of a device, until `signal` is aborted. */
export function sendOwnPosition(secret: string, { sent, failed }: OwnPositionListener, signal: AbortSignal): void {
  const send = async ({ coords, timestamp }: GeolocationPosition): Promise<void> => {
    const { latitude: lat, longitude: lon, speed, heading, accuracy } = coords;
    const point = {
      ...{ point: { lat, lon }, timestamp: new Date(timestamp).toISOString(), accuracy },
      ...(speed !== null && { speed: speed * MPH_PER_METER_PER_SECOND }),
      ...(heading !== null && !Number.isNaN(heading) && { heading }),
    };
    const response = await fetch(`${pageData().baseUrl}/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ points: [point] }),
      credentials: 'omit',
    });
    if (response.ok) sent();
    else failed();
  };
  const watch = navigator.geolocation.watchPosition((position) => void send(position).catch(failed), failed, {
    enableHighAccuracy: true,
  });
  signal.addEventListener('abort', () => navigator.geolocation.clearWatch(watch));
}
