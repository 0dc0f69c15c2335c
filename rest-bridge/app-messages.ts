/** Key of a device in examples. */
export const EXAMPLE_DEVICE_KEY = 'wb_device_…';

/** JSON Schema of a message of OwnTracks. */
export const ownTracksMessage = {
  title: 'OwnTracksMessage',
  type: 'object',
  required: ['_type'],
  properties: {
    _type: { type: 'string', description: 'Messages other than `location` are ignored.' },
    lat: { type: 'number' },
    lon: { type: 'number' },
    tst: { type: 'number', description: 'Seconds since 1970.' },
    vel: { type: 'number', description: 'Kilometers per hour.' },
    cog: { type: 'number', description: 'Degrees clockwise from north.' },
    batt: { type: 'number', description: 'Percent.' },
  },
} as const;

/** Valid message of OwnTracks. */
export const ownTracksExample = {
  _type: 'location',
  lat: 53.0758,
  lon: 8.8072,
  tst: 1772366400,
  vel: 30,
  cog: 90,
  batt: 85,
} as const;

/** Parameters of OsmAnd and of Traccar Client before its version 9. */
export const osmAndParameters = {
  id: "The device's own key; `deviceid` means the same.",
  lat: 'Latitude in degrees.',
  lon: 'Longitude in degrees.',
  timestamp: 'Seconds or milliseconds since 1970, or a date-time; now unless given.',
  speed: 'Knots.',
  bearing: 'Degrees clockwise from north; `heading` means the same.',
  batt: 'Battery of the device in percent.',
  valid: '`false` or `0` if there is no fix; then nothing is stored.',
} as const;

/** JSON Schema of a message of Traccar Client since its version 9. */
export const osmAndMessage = {
  title: 'OsmAndMessage',
  type: 'object',
  required: ['device_id'],
  properties: {
    device_id: { type: 'string', description: "The device's own key." },
    location: {
      title: 'OsmAndLocation',
      type: 'object',
      properties: {
        timestamp: { type: 'string', format: 'date-time' },
        coords: {
          title: 'OsmAndCoords',
          type: 'object',
          required: ['latitude', 'longitude'],
          properties: {
            latitude: { type: 'number' },
            longitude: { type: 'number' },
            speed: { type: 'number', description: 'Meters per second; -1 for none.' },
            heading: { type: 'number', description: 'Degrees clockwise from north; -1 for none.' },
          },
        },
        battery: {
          title: 'OsmAndBattery',
          type: 'object',
          properties: { level: { type: 'number', description: 'From 0 to 1; -1 for none.' } },
        },
      },
    },
  },
} as const;

/** Valid message of Traccar Client. */
export const osmAndExample = {
  device_id: EXAMPLE_DEVICE_KEY,
  location: {
    timestamp: '2026-03-01T12:00:00.000Z',
    coords: { latitude: 53.0758, longitude: 8.8072, speed: 8.3, heading: 90 },
    battery: { level: 0.85 },
  },
} as const;
