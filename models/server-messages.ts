import mongoose, { mongo } from 'mongoose';

import { collectionOptions } from './store/collection-options.ts';
import { PlainStore } from './store/plain-store.ts';
import type { Service } from './store/service.ts';

/** A message of one server to the others: what they must read again if they have listeners for it. */
export interface ServerMessage {
  /** Names the process that sent it. */
  readonly sender: string;
  readonly sent_at: Date;
  /** Keys of the accounts to whose logs entries were added. */
  readonly log_account_keys: readonly string[];
  /** Vehicles of which positions were stored. */
  readonly moved: readonly MovedOfAccount[];
  /** True if permissions have changed. */
  readonly changes_permissions: boolean;
}

/** Vehicles of an account of which positions were stored. */
export interface MovedOfAccount {
  readonly account_key: string;
  readonly vehicle_keys: readonly string[];
}

const COLLECTION = 'server_messages';

/** Limits of the collection, in bytes and in messages: enough for some seconds, since each is read once and immediately. */
const LIMITS = { size: 16_777_216, max: 1000 } as const;

const messageSchema = new mongoose.Schema<ServerMessage>(
  {
    sender: { type: String, required: true },
    sent_at: { type: Date, required: true },
    log_account_keys: { type: [String], required: true },
    moved: { type: [{ _id: false, account_key: String, vehicle_keys: [String] }], required: true },
    changes_permissions: { type: Boolean, required: true },
  },
  { ...collectionOptions(COLLECTION), capped: LIMITS },
);

const MessageStore = new PlainStore<ServerMessage>('ServerMessage', messageSchema);

/** The content of an empty message. */
const NO_NEWS = { log_account_keys: [], moved: [], changes_permissions: false } as const;

/** A cursor over messages. */
export type MessageCursor = mongo.FindCursor<ServerMessage>;

/** MongoDB's code for a collection that already exists. */
const NAMESPACE_EXISTS = 48;

/** Maximum difference between the clocks of servers, in milliseconds. */
export const CLOCK_SKEW_MS = 10_000;

/** Time for which the database waits for a message before it is asked again, in milliseconds. */
const WAITED_MS = 5000;

/**
 * Makes the capped collection of the messages, if it is missing. Returns false if the database does not support capped
 * collections: then nothing may be sent, since nothing would ever be removed.
 */
export async function makeMessages(service: Service): Promise<boolean> {
  const isCapped = await readIsCapped(service);
  if (isCapped !== null) return isCapped;
  try {
    await MessageStore.model(service).createCollection();
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    // Another server may have created it meanwhile.
    if (error.code !== NAMESPACE_EXISTS) return false;
  }
  return (await readIsCapped(service)) === true;
}

/** Reads whether the collection is capped; null if there is none. */
async function readIsCapped(service: Service): Promise<boolean | null> {
  try {
    return await MessageStore.driver(service).isCapped();
  } catch (error) {
    if (error instanceof mongo.MongoAPIError) return null;
    throw error;
  }
}

/** Sends a message to all servers of the installation. */
export async function sendMessage(service: Service, sender: string, news: Partial<ServerMessage> = {}): Promise<void> {
  await MessageStore.insertMany(service, [{ ...NO_NEWS, ...news, sender, sent_at: new Date() }], { lean: true });
}

/**
 * Opens a cursor over the newest messages of others, and over empty ones of this process; then it waits for further
 * ones. It ends with an error if the database stops, or if more messages have come than are kept. There must be a message: on
 * an empty collection it ends immediately.
 */
export function openMessages(service: Service, sender: string): MessageCursor {
  const newest = {
    sent_at: { $gte: new Date(Date.now() - CLOCK_SKEW_MS) },
    $or: [{ sender: { $ne: sender } }, NO_NEWS],
  };
  const messages = MessageStore.driver(service) as unknown as mongo.Collection<ServerMessage>;
  return messages.find(newest, { tailable: true, awaitData: true, maxAwaitTimeMS: WAITED_MS });
}

/** Returns true if a collection has messages, which belong to no account. */
export function isOfMessages(collection: string): boolean {
  return collection === COLLECTION;
}
