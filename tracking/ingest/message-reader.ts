import type { RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';

import type { Members } from './json-reader.ts';
import type { SentReport } from './sent-report.ts';

/** API description of messages that are sent by one method, in the words of `RestRoute`. */
interface MessageDescription {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly exampleParameters?: Readonly<Record<string, string>>;
  readonly limits?: { readonly message: Readonly<Record<string, unknown>> };
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Parts of a message, or all of it, that are not stored. */
interface Ignored {
  readonly reason: RejectionReason;
  readonly detail: string;
  /** 1 by default. */
  readonly count?: number;
}

/** The content of a message. */
export interface ReadMessage {
  readonly reports: readonly SentReport[];
  /** Parts that have no positions, or cannot be read, with the first reason. */
  readonly ignored?: undefined | readonly Ignored[];
}

/** A form in which an app sends positions of a device: how it is sent, described and read. */
export interface MessageReader {
  /** The methods by which it is sent. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', MessageDescription>>>;
  /** Place of the device's key: a bearer token; for apps that know none also a Basic password, or members of the message. */
  readonly deviceKey: 'bearer' | 'basic' | readonly string[];
  readonly mutation: string;
  readonly description: string;
  readonly messageDescription: string;
  /** Answer that tells the app that it need not repeat a message. */
  readonly answer: 'outcome' | 'empty list' | 'receipt';
  /**
   * Reads the positions of a message.
   * @throws ServiceError BAD_REQUEST naming the parameter, for one that can never be stored
   */
  readonly read: (message: Members, now: number) => ReadMessage;
}

/** Key of a device in examples. */
export const EXAMPLE_DEVICE_KEY = 'wb_device_…';
