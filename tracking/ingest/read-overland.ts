import { SPEED_UNITS } from '../geometry/speeds.ts';

import { readTime } from './fix-time.ts';
import { badParameter, type Members, numberOrNone, readNumber, readObject, RejectedMessage } from './json-reader.ts';
import type { MessageReader, ReadMessage } from './message-reader.ts';
import { MAX_KNOTS } from './read-traccar.ts';
import { accuracyOrNone, type SentReport } from './sent-report.ts';

/** JSON Schema of a message. */
const MESSAGE = {
  title: 'OverlandMessage',
  type: 'object',
  required: ['locations'],
  properties: {
    locations: {
      type: 'array',
      description: 'Features of GeoJSON (RFC 7946).',
      items: {
        title: 'OverlandLocation',
        type: 'object',
        required: ['geometry', 'properties'],
        properties: {
          type: { type: 'string', description: '`Feature`.' },
          geometry: {
            title: 'OverlandPoint',
            type: 'object',
            required: ['coordinates'],
            properties: {
              type: { type: 'string', description: '`Point`.' },
              coordinates: { type: 'array', items: { type: 'number' }, description: 'Longitude and latitude.' },
            },
          },
          properties: {
            title: 'OverlandProperties',
            type: 'object',
            required: ['timestamp'],
            properties: {
              timestamp: { type: 'string', description: 'A date-time.' },
              speed: { type: 'number', description: 'Meters per second; -1 for none.' },
              course: { type: 'number', description: 'Degrees clockwise from north; -1 for none.' },
              horizontal_accuracy: {
                type: 'number',
                description: 'Meters; negative for a location that is not valid.',
              },
              battery_level: { type: 'number', description: 'From 0 to 1; -1 for none.' },
            },
          },
        },
      },
    },
  },
};

/** Messages of Overland, which sends many positions at a time. */
export const overland: MessageReader = {
  methods: {
    POST: {
      limits: { message: MESSAGE },
      example: {
        locations: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [8.8072, 53.0758] },
            properties: {
              timestamp: '2026-03-01T12:00:00Z',
              speed: 8.3,
              course: 90,
              horizontal_accuracy: 5,
              battery_level: 0.85,
            },
          },
        ],
      },
    },
  },
  deviceKey: 'bearer',
  mutation: 'ingestOverland',
  description:
    "Adds the positions of a message as Overland sends them.\n\nThe access token is the device's own key. Positions that " +
    'can never be stored are ignored, and answered like the others.',
  messageDescription: 'A message in the JSON of Overland.',
  answer: 'receipt',
  read: readOverland,
};

/**
 * Reads the positions of a message of Overland, of which there is any number. It deletes a message that is received, with
 * all positions in it: those that cannot be read are omitted, so that the others are stored. Records of trips and of what
 * the app did have a place, too, but no fix.
 * @see https://github.com/aaronpk/Overland-iOS#api
 * @throws ServiceError BAD_REQUEST naming the first wrong parameter, such as `locations[3].properties.timestamp`, if there is
 * no position that can be read
 */
function readOverland({ locations }: Members, now: number): ReadMessage {
  if (!Array.isArray(locations)) throw badParameter('locations', 'must be a list');
  const reports: SentReport[] = [];
  const faults: RejectedMessage[] = [];
  let without = 0;
  for (const [at, location] of locations.entries()) {
    try {
      const report = readLocation(`locations[${at}]`, location, now);
      if (report) reports.push(report);
      else without++;
    } catch (error) {
      if (!(error instanceof RejectedMessage)) throw error;
      faults.push(error);
    }
  }
  const [fault] = faults;
  if (fault && reports.length === 0) throw fault;
  const detail = 'Records of trips and of the app, and positions without a fix';
  return {
    reports,
    ignored: [
      ...(fault ? [{ reason: fault.reason, detail: fault.message, count: faults.length }] : []),
      ...(without > 0 ? [{ reason: 'ignored_kind' as const, detail, count: without }] : []),
    ],
  };
}

function readLocation(name: string, location: unknown, now: number): SentReport | null {
  const { geometry, properties } = readObject(name, location);
  const { timestamp, speed, course, horizontal_accuracy, battery_level, type, action } = readObject(
    `${name}.properties`,
    properties,
  );
  if (type === 'trip' || action !== undefined || Number(horizontal_accuracy) < 0) return null;
  const { coordinates } = readObject(`${name}.geometry`, geometry);
  const [lon, lat] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
  const at = readTime(`${name}.properties.timestamp`, timestamp, now);
  const fix = {
    at,
    lat: readNumber(`${name}.geometry.coordinates[1]`, lat, -90, 90),
    lon: readNumber(`${name}.geometry.coordinates[0]`, lon, -180, 180),
    speed: numberOrNone(speed, 0, MAX_KNOTS * SPEED_UNITS.kn),
    heading: numberOrNone(course, 0, 360),
    accuracy: accuracyOrNone(horizontal_accuracy),
  };
  return { at, fix, events: [], readings: { battery_level: numberOrNone(battery_level, 0, 1) * 100 } };
}
