import { useState } from 'react';
import type { ServiceTripsMap } from 'service-web-components/maplibre';
import type {} from 'service-web-components/maplibre/react';
import 'service-web-components/maplibre';

const tokenProvider = async () => (await fetch('/trip-token')).text();

export function VehicleTrips({ vehicleKey }: { vehicleKey: string }) {
  const [count, setCount] = useState(0);
  return (
    <>
      <service-trips-map
        service-url="https://telemetry.example/graphql"
        map-style="https://telemetry.example/map/style.json"
        vehicle-key={vehicleKey}
        tokenProvider={tokenProvider}
        ontrip-render={({ target }) => setCount((target as ServiceTripsMap).trips.length)}
      />
      <output>Trips: {count}</output>
    </>
  );
}
