import type { ComponentSchemas, JsonSchema } from './open-api-schemas.ts';

/** Describes what is posted to webhooks: an OpenAPI 3.1 `webhooks` object. Fleet API: "Events and notifications". */
export function describeWebhooks(schemas: ComponentSchemas): JsonSchema {
  const schema = notification(schemas);
  const header = (name: string, description: string) => {
    return { name, in: 'header', required: true, description, schema: { type: 'string' } };
  };
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        summary: 'Receives an event of a vehicle.',
        description:
          'Posted to the address of a webhook, signed as Standard Webhooks specifies. Answer within 15 seconds.',
        tags: ['webhook'],
        security: [],
        parameters: [
          header('webhook-id', 'Identifies the delivery; repeated ones have the same.'),
          header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
          header('webhook-signature', 'Signatures with the `secret` of the webhook.'),
        ],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Accepted. Any other response lets the event be sent again.' },
          410: { description: 'Disables the webhook.' },
          '4XX': { description: 'Rejected: after five such responses, the event is set aside.' },
        },
      },
    },
  };
}

type Members = Readonly<Record<string, JsonSchema>>;

const text = (description: string): JsonSchema => ({ type: 'string', description });
const time = (description: string): JsonSchema => ({ ...text(description), format: 'date-time' });
const number = (description: string): JsonSchema => ({ type: 'number', description });
/** The same, or null. */
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'] });

const LATITUDE = number('Latitude in degrees.');
const LONGITUDE = number('Longitude in degrees.');

const SUBJECT: Members = {
  key: text('Key of the record.'),
  name: orNull(text('Its name, if the receiver may read it.')),
};

const VEHICLE: Members = {
  key: text('Key of the vehicle.'),
  vin: orNull(text('Vehicle identification number.')),
  nickname: orNull(text('Display name.')),
  latitude: orNull(LATITUDE),
  longitude: orNull(LONGITUDE),
  speed: orNull(number('Speed in miles per hour.')),
  heading: orNull(number('Heading in degrees, clockwise from north.')),
  motion_status: orNull(text('`moving` or `stopped`.')),
  odometer: orNull(number('Odometer in miles.')),
};

const TRIP: Members = {
  key: text('Key of the trip.'),
  distance: orNull(number('Distance in miles.')),
  idle_time: orNull(number('Seconds for which it stood with its engine on.')),
  max_speed: orNull(number('Highest speed in miles per hour.')),
  hard_brakes: orNull(number('Number of hard brakes.')),
  rapid_accels: orNull(number('Number of rapid accelerations.')),
  ...endOf('started'),
  ...endOf('ended'),
};

function endOf(name: 'started' | 'ended'): Members {
  return {
    [`${name}_timestamp`]: time(`When it ${name}.`),
    [`${name}_address`]: orNull(text('The address there on one line.')),
    [`${name}_latitude`]: orNull(LATITUDE),
    [`${name}_longitude`]: orNull(LONGITUDE),
  };
}

function notification(schemas: ComponentSchemas): JsonSchema {
  const object = (name: string, description: string, required: readonly string[], properties: Members) =>
    schemas.named(name, { type: 'object', description, required, properties });
  const subject = object('NotifiedObject', 'What an event is about.', ['key'], SUBJECT);
  return object('Notification', 'An event as webhooks receive it.', ['key', 'event', 'timestamp', 'account_key'], {
    key: text('Key of the event; the same in corrections of it.'),
    event: text('An `EventName`, or `test`.'),
    name: text('Name of an alarm that is listed as `other`.'),
    timestamp: time('When it happened.'),
    account_key: text('Key of the account.'),
    user_key: orNull(text('Key of the driver; null if unknown.')),
    car: object('NotifiedVehicle', 'The vehicle, as the receiver may see it.', ['key'], VEHICLE),
    trip: object('NotifiedTrip', 'The trip; without its end while it may go on.', ['key', 'started_timestamp'], TRIP),
    device: subject,
    place: subject,
    rule: subject,
    ended: orNull(time('When the limit of the rule was kept again.')),
    max_speed: orNull(number('Highest speed beyond the limit of the rule, in miles per hour.')),
    point: object('NotifiedPoint', 'The place.', ['lat', 'lon'], { lat: LATITUDE, lon: LONGITUDE }),
    deleted: { type: 'boolean', description: 'True if the event no longer exists.' },
  });
}
