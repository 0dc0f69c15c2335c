import type { Connection, Model, Schema } from 'mongoose';

import type { NotificationSender } from './notification-sender.ts';

/**
 * Settings of a service on which its records and its domain depend. `server/configuration/config.ts` declares each, by one row.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the declaration of the settings, in a higher folder, extends it
export interface ServiceSettings {}

/**
 * A running service: the objects that all parts share. It is created at startup and passed on, so that one process can have
 * several. A part stores its state in memory per service, see {@link perService}.
 */
export class Service {
  /** The connection to its database. */
  readonly connection: Connection;
  readonly settings: ServiceSettings;
  /** Posts notifications to the receivers of webhooks. */
  readonly sender: NotificationSender;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;

  constructor({ connection, settings, sender, now = Date.now }: ServiceParts) {
    this.connection = connection;
    this.settings = settings;
    this.sender = sender;
    this.now = now;
  }

  /** Omits the service from JSON, such as that of an access scope in a cache key. */
  toJSON(): undefined {
    return undefined;
  }
}

/** The parts of a service. */
export interface ServiceParts extends Pick<Service, 'connection' | 'settings' | 'sender'> {
  /** The clock; the system's by default. */
  readonly now?: () => number;
}

/** Makes the function that returns a module's state for a service, created on first use. */
export function perService<State extends object>(make: (service: Service) => State): (service: Service) => State {
  const states = new WeakMap<Service, State>();
  return (service) => {
    const state = states.get(service) ?? make(service);
    states.set(service, state);
    return state;
  };
}

/** The Mongoose model of a schema in a service, created on first use. */
export function modelIn<Stored>(service: Service, name: string, schema: Schema): Model<Stored> {
  const { connection } = service;
  return (connection.models[name] ?? connection.model(name, schema)) as Model<Stored>;
}
