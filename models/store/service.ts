import type { Connection, Model, Schema } from 'mongoose';

import type { NotificationSender } from './notification-sender.ts';

/** Settings of a service that its records and its domain depend on. The rest of the configuration concerns `server` alone. */
export interface ServiceSettings {
  /** Secret by which private keys are encrypted before they are stored; null stores them as they are. */
  readonly keyEncryptionSecret: string | null;
  /** Days for which security events are kept. */
  readonly securityLogDays: number;
  /** Days for which changes are logged. */
  readonly changeLogDays: number;
  /** Seconds in which a used refresh token gets its app the same successors again; 0 for none. */
  readonly refreshReuseSeconds: number;
  /** Address of the website, below which the pages of shares are. */
  readonly siteUrl: string;
}

/**
 * A running service: what all of its parts share. It is made at the start and handed on, so that one process can have several.
 * What a part keeps in memory it keeps by service, see {@link perService}.
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

  /** Absent from texts, such as those that name an access scope. */
  toJSON(): undefined {
    return undefined;
  }
}

/** The parts of a service. */
export interface ServiceParts extends Pick<Service, 'connection' | 'settings' | 'sender'> {
  /** The clock; the system's unless given. */
  readonly now?: () => number;
}

/** Makes the function that returns what a module keeps for a service, which is made when it is asked for first. */
export function perService<State extends object>(make: (service: Service) => State): (service: Service) => State {
  const states = new WeakMap<Service, State>();
  return (service) => {
    const state = states.get(service) ?? make(service);
    states.set(service, state);
    return state;
  };
}

/** The Mongoose model of a schema in a service, which is made when it is asked for first. */
export function modelIn<Stored>(service: Service, name: string, schema: Schema): Model<Stored> {
  const { connection } = service;
  return (connection.models[name] ?? connection.model(name, schema)) as Model<Stored>;
}
