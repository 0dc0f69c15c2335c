/** Addresses by which an app on a telephone takes over its settings. */
export interface AppLinks {
  /** Content of the QR code. */
  readonly code: string;
  /** Link that opens the app on the same telephone. */
  readonly link: string;
}

/** Interval at which a telephone sends positions, in seconds. */
const INTERVAL = 10;

/** Settings of Traccar Client 9 or later, which begins to send at once (`ConfigurationService.applyUri` of its source). */
export function traccarClientLinks(baseUrl: string, secret: string): AppLinks {
  const url = `${baseUrl}/ingest/osmand`;
  const settings = { id: secret, interval: String(INTERVAL), service: 'true' };
  return {
    code: `${url}?${new URLSearchParams(settings)}`,
    link: `org.traccar.client://config?${new URLSearchParams({ url, ...settings })}`,
  };
}

/** Settings of OwnTracks (https://owntracks.org/booklet/features/remoteconfig/): HTTP, and moving mode. */
export function ownTracksLinks(baseUrl: string, secret: string, name: string): AppLinks {
  const settings = {
    ...{ _type: 'configuration', mode: 3, monitoring: 2, url: `${baseUrl}/ingest/owntracks` },
    ...{ auth: true, username: 'vehicle', password: secret, deviceId: 'phone', tid: initialsOf(name) },
    ...{ locatorInterval: INTERVAL, moveModeLocatorInterval: INTERVAL },
  };
  const link = `owntracks:///config?inline=${encodeURIComponent(base64Of(JSON.stringify(settings)))}`;
  return { code: link, link };
}

/** Two characters by which OwnTracks labels a device. */
function initialsOf(name: string): string {
  return (name.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, 2) || 'wb').toLowerCase();
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
