const DATE_TIME = { type: 'string', examples: ['2026-03-01T12:00:00+00:00'] };

const SERIAL = { type: 'string', description: 'Serial number of the device.' };

const POINT = {
  title: 'IngestPoint',
  type: 'object',
  required: ['point', 'timestamp'],
  properties: {
    point: {
      title: 'IngestPosition',
      type: ['object', 'null'],
      description: 'Null if there is no fix: time, events and readings count.',
      required: ['lat', 'lon'],
      properties: {
        lat: { type: 'number', minimum: -90, maximum: 90, description: 'Latitude in degrees.' },
        lon: { type: 'number', minimum: -180, maximum: 180, description: 'Longitude in degrees.' },
      },
    },
    timestamp: {
      ...DATE_TIME,
      description: "When the vehicle was there; at most 5 minutes ahead of the service's clock.",
    },
    heading: { type: ['number', 'null'], minimum: 0, maximum: 360, description: 'Degrees clockwise from north.' },
    speed: { type: ['number', 'null'], minimum: 0, description: 'Miles per hour.' },
    events: {
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
      description:
        '`engine_start` begins a trip, `engine_stop` ends it; `trip_hard_brake`, `trip_severe_hard_brake` and `trip_rapid_accel` are counted; all words but those of the engine are events.',
    },
    odometer: { type: ['number', 'null'], minimum: 0, description: 'Miles.' },
    fuel_level: { type: ['number', 'null'], minimum: 0, maximum: 100, description: 'Percent.' },
    battery_level: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 100,
      description: 'Battery level of the device in percent.',
    },
    accuracy: { type: ['number', 'null'], minimum: 0, description: 'Accuracy of the position in meters.' },
    ignition: {
      type: ['boolean', 'null'],
      description: 'True if the ignition is on; `1`, `0` and texts such as `ON` or `no` are read, too.',
    },
  },
};

/** JSON Schema keywords for the body of `POST /ingest`; `device`, `position` and `event` are Traccar's. */
export const ingestLimits = {
  points: { type: 'array', maxItems: 1000, items: POINT },
  serial: SERIAL,
  batch: {
    type: 'array',
    maxItems: 1000,
    items: {
      title: 'IngestBatch',
      type: 'object',
      required: ['serial', 'points'],
      properties: {
        serial: SERIAL,
        points: { type: 'array', maxItems: 1000, items: POINT, description: 'Its positions.' },
      },
    },
  },
  device: {
    title: 'TraccarDevice',
    type: 'object',
    required: ['uniqueId'],
    properties: { uniqueId: SERIAL },
  },
  position: {
    title: 'TraccarPosition',
    type: 'object',
    required: ['latitude', 'longitude', 'fixTime'],
    properties: {
      latitude: { type: 'number', description: 'Latitude in degrees.' },
      longitude: { type: 'number', description: 'Longitude in degrees.' },
      fixTime: { ...DATE_TIME, description: 'When the vehicle was there; milliseconds since 1970 are read, too.' },
      deviceTime: { ...DATE_TIME, description: 'When the device sent the message.' },
      accuracy: { type: 'number', description: 'Meters.' },
      speed: { type: ['number', 'null'], description: 'Knots; ignored if negative.' },
      course: { type: ['number', 'null'], description: 'Degrees clockwise from north; ignored if negative.' },
      valid: { type: 'boolean', description: 'If false, only time, events and readings count.' },
      attributes: {
        title: 'TraccarAttributes',
        type: 'object',
        properties: {
          ignition: { type: 'boolean', description: 'True if the ignition is on.' },
          alarm: { type: 'string', description: 'Alarms, separated by commas; they become events of the position.' },
          odometer: { type: 'number', description: 'Meters.' },
          fuelLevel: { type: 'number', description: 'Percent.' },
          batteryLevel: { type: 'number', description: 'Percent.' },
        },
      },
    },
  },
  event: {
    title: 'TraccarEvent',
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', description: 'Name of the event, as Traccar has it.' } },
  },
} as const;

/** Valid body of `POST /ingest`. */
export const ingestExample = {
  points: [
    {
      point: { lat: 53.0758, lon: 8.8072 },
      timestamp: '2026-03-01T12:00:00+00:00',
      heading: 90,
      speed: 18.6,
      events: ['engine_start'],
    },
  ],
} as const;
