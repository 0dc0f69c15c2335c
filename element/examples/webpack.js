import 'service-web-components/maplibre';

const output = document.createElement('output');
const map = document.createElement('service-trips-map');
map.serviceUrl = 'https://telemetry.example/graphql';
map.mapStyle = 'https://telemetry.example/map/style.json';
map.vehicleKey = 'VEHICLE_KEY';
map.tokenProvider = async () => (await fetch('/trip-token')).text();
map.addEventListener('trip-render', () => {
  output.textContent = `Trips: ${map.trips.length}`;
});
document.body.append(map, output);
