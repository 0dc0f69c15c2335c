import type { Random } from '../../../server/demo/random.ts';

import type { WebhookReceiver } from '../../hosts/webhook-receiver.ts';
import type { Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Service } from './service.ts';
import type { Trouble } from './troubles.ts';
import type { Finding } from './write.ts';

/** Input of a kind of write in a round. */
export interface Round {
  readonly number: number;
  readonly fleet: Fleet & { readonly receiver: WebhookReceiver };
  readonly random: Random;
  newLedger(): Ledger;
}

/** The writes of a kind in a round, and the way to find them again. */
export interface RoundOfKind {
  readonly ledger: Ledger;
  /** Number of concurrent writers. */
  readonly writers: number;
  /**
   * Sends the next write, by one of the writers.
   *
   * @returns false where it has no more to send in this round
   */
  write(server: Service, writer: number): Promise<boolean>;
  /** Ends commands that are under way by SIGKILL; a kind without commands has none. */
  kill?(): void;
  /** Compares what was acknowledged with what a server shows, at every endpoint that shows it. */
  verify(server: Service, isFirst: boolean): Promise<Finding[]>;
}

/** A kind of write. */
export interface WriteKind {
  readonly name: string;
  /** Troubles in whose rounds it does not write. */
  readonly without?: readonly Trouble[];
  /** Makes what a round needs, before anything is killed. */
  begin(round: Round, server: Service): Promise<RoundOfKind>;
  /** Completes, after the last round, what was killed and is completed by repeating it. */
  finish?(): Promise<void>;
}

/** The answer's JSON, whose form is the endpoint's. */
export function jsonBody<T>({ text }: { readonly text: string }): T {
  return JSON.parse(text) as T;
}
