import mongoose, { type Schema } from 'mongoose';

import type { ChangeKind } from '../../schema/changes/change.ts';

import { collectionOptions } from './collection-options.ts';
import { newMark } from './change-mark.ts';
import { type Change, type InService, PlainStore, serviceWithin } from './plain-store.ts';
import { perService, type Service } from './service.ts';
import type { AccessScope, Scope } from './tenancy.ts';
import { onceStored } from './transaction.ts';

/** Records of a kind whose changes are logged. */
export interface LoggedKind {
  readonly kind: ChangeKind;
  /** Fields whose changes are not logged, or paths of parts of fields. */
  readonly silent?: readonly string[];
  /** Field with the key of the user whose record it is: drivers learn of the changes of their own records alone. */
  readonly userField?: UserField;
  /** Filter of the documents that are shown; a change of a hidden one is logged once it is shown. */
  readonly shown?: { readonly staged: false };
  /** Returns true if a shown document counts as a record; all do by default. */
  readonly isPresent?: (document: { readonly status: unknown }) => boolean;
}

/** A field with the key of the driver, or of the user that the record describes. */
type UserField = 'user_key' | 'driver_key' | 'key';

/** The store of a kind whose changes are logged. */
export interface LoggedStore extends LoggedKind {
  readonly store: PlainStore<unknown, Scope> & {
    updateEach(
      accessScope: AccessScope,
      updates: readonly { readonly filter: object; readonly update: object }[],
    ): Promise<number>;
  };
}

/** The stores of all kinds whose changes are logged. */
export const loggedStores: LoggedStore[] = [];

/** Fields of a document with a change that is not logged yet. */
const MARK_FIELDS = {
  /** Names the last change; absent if it has an entry. */
  change_mark: { type: String, default: newMark, select: false },
  /** True until the log has an entry of the record, and again after an entry of its deletion. */
  is_first_change: { type: Boolean, default: () => true, select: false },
};

/** A field of documents that belong to groups. */
const PATH_FIELD = {
  /** Keys of all groups in whose tree the record has been since its last entry: their members must be notified of the next. */
  logged_path: { type: [String], default: pathOf, select: false },
};

/** A field of documents that may be reassigned to another user. */
const USERS_FIELD = {
  /** Keys of the users to whom it has belonged since its last entry, but no longer does: they must be notified of the next. */
  former_users: { type: [String], default: undefined, select: false },
};

/** Fields whose changes are not logged. */
const ALWAYS_SILENT: readonly string[] = [...Object.keys({ ...MARK_FIELDS, ...PATH_FIELD, ...USERS_FIELD }), '_id'];

interface InGroups {
  readonly group_path: readonly string[];
}

/** The path of a new document. */
function pathOf(this: InGroups): readonly string[] {
  return this.group_path;
}

/** The part of an update that adds to the groups to be notified of the next entry, if it moves a record to other groups. */
function notedPath(update: object): { readonly logged_path: { readonly $each: readonly string[] } } | null {
  const { $set = {} } = update as { readonly $set?: Partial<InGroups> };
  const { group_path = (update as Partial<InGroups>).group_path } = $set;
  return group_path === undefined ? null : { logged_path: { $each: group_path } };
}

/** Keys of the groups to be notified of a document's next entry. */
export function pathToLog({ group_path = [], logged_path = group_path }: LoggedPaths): readonly string[] {
  return logged_path;
}

/** The paths of a document that belongs to groups, as it is stored. */
export interface LoggedPaths {
  readonly group_path?: readonly string[];
  readonly logged_path?: readonly string[];
}

/** The user of a document, as it is stored. */
export interface LoggedUsers {
  readonly key: string;
  readonly user_key?: string | null;
  readonly driver_key?: string | null;
  readonly former_users?: readonly string[];
}

/** Keys of the drivers to be notified of a document's next entry; null if there are none. */
export function usersToLog({ userField }: LoggedKind, document: LoggedUsers): readonly string[] | null {
  if (userField === undefined) return null;
  const { [userField]: user = null, former_users = [] } = document;
  return [...(user === null ? [] : [user]), ...former_users];
}

/** The update that reassigns a record, whose user is known, to another user. */
export function changeOfUser(field: Exclude<UserField, 'key'>, former: string | null, next: string | null) {
  const noted = former !== null && former !== next && { $addToSet: { former_users: former } };
  return { $set: { [field]: next }, ...noted };
}

/** Filter of the shown documents that have a mark. */
export function markedFilter({ shown }: LoggedKind) {
  return { change_mark: { $type: 'string' as const }, ...shown };
}

/** A record that was about to be deleted. */
export interface DeletionNote {
  readonly account_key: string;
  readonly kind: ChangeKind;
  readonly key: string;
  /** The vehicle of a trip or a visit; null for other records. */
  readonly vehicle_key: string | null;
  readonly mark: string;
  /** Keys of the groups whose members must be notified; null for a record without groups. */
  readonly logged_path: readonly string[] | null;
  /** Keys of the drivers who must be notified; null if there are none. */
  readonly user_keys: readonly string[] | null;
}

const noteSchema = new mongoose.Schema<DeletionNote>(
  {
    account_key: { type: String, required: true },
    kind: { type: String, required: true },
    key: { type: String, required: true },
    vehicle_key: { type: String, default: null },
    mark: { type: String, required: true },
    logged_path: { type: [String], default: null },
    user_keys: { type: [String], default: null },
  },
  collectionOptions('deletion_notes'),
);
noteSchema.index({ mark: 1, key: 1 }, { unique: true });

/** Records that were about to be deleted; an existing one was not deleted, or was restored. */
export const DeletionNoteStore = new PlainStore<DeletionNote>('DeletionNote', noteSchema);

/** The place of marks: records of a kind, or the notes of deletions. */
export type MarkPlace = ChangeKind | 'deletions';

/** Receives the place of a write's marks, and the key of the account, or null if they may be those of any account. */
type MarkListener = (place: MarkPlace, accountKey: string | null) => void;

const listeners = perService(() => new Set<MarkListener>());

/** Calls a function after each write of a service that this process has marked; returns a function that ends it. */
export function onMarkedWrite(service: Service, listener: MarkListener): () => void {
  listeners(service).add(listener);
  return () => void listeners(service).delete(listener);
}

/** Announces a completed write. */
export function announceMarks(within: InService, place: MarkPlace): void {
  const accountKey = 'account_key' in within ? (within as AccessScope).account_key : null;
  onceStored(() => {
    for (const listener of listeners(serviceWithin(within))) listener(place, accountKey);
  });
}

/** Returns true if an update marks a change. */
export function isMarked({ $set = {} }: Change): boolean {
  return 'change_mark' in Object($set);
}

/**
 * Adds the fields of marks to a schema: every change of a document is marked in the write that makes it, so that either both
 * are stored or none. A deletion, which leaves nothing to mark, is recorded beforehand.
 */
export function addMarkFields(schema: Schema, logged: LoggedKind): void {
  schema.add(MARK_FIELDS);
  if (isInGroups(schema)) schema.add(PATH_FIELD);
  if (logged.userField !== undefined && logged.userField !== 'key') schema.add(USERS_FIELD);
  schema.index({ change_mark: 1 }, { partialFilterExpression: markedFilter(logged) });
}

/** A document as recorded before its deletion. */
export interface NotedDocument extends LoggedUsers {
  readonly account_key: string;
  readonly vehicle_key?: string | null;
  readonly staged?: boolean;
  readonly is_first_change?: boolean;
  readonly logged_path?: readonly string[];
}

const NOTED_FIELDS = {
  account_key: 1,
  key: 1,
  vehicle_key: 1,
  staged: 1,
  is_first_change: 1,
  logged_path: 1,
  user_key: 1,
  driver_key: 1,
  former_users: 1,
} as const satisfies Record<keyof NotedDocument, 1>;

/** Records that documents are about to be deleted; returns the condition on those that were recorded. */
export async function noteDeletions(
  service: Service,
  logged: LoggedKind,
  find: (fields: typeof NOTED_FIELDS) => Promise<object[]>,
): Promise<{ readonly key: { readonly $in: readonly string[] } }> {
  const documents = (await find(NOTED_FIELDS)) as NotedDocument[];
  const shown = documents.filter(({ staged, is_first_change }) => staged !== true || is_first_change !== true);
  const mark = newMark();
  const notes = shown.map((document) => {
    const { account_key, key, vehicle_key = null, logged_path = null } = document;
    const user_keys = usersToLog(logged, document);
    return { account_key, kind: logged.kind, key, vehicle_key, mark, logged_path, user_keys };
  });
  if (notes.length > 0) await DeletionNoteStore.insertMany(service, notes, { ordered: false, lean: true });
  return { key: { $in: documents.map(({ key }) => key) } };
}

/** Adds the mark of a change to an update, if it changes what is logged. */
export function markedUpdate(logged: LoggedKind, update: Change): Change {
  if (!isLogged(logged, update)) return update;
  const path = notedPath(update);
  return {
    ...update,
    $set: { ...(update.$set as object | undefined), change_mark: newMark() },
    ...(path && { $addToSet: { ...(update.$addToSet as object | undefined), ...path } }),
  };
}

/** Returns true if the records of a schema belong to groups. */
export function isInGroups(schema: Schema): boolean {
  return schema.path('group_path') !== undefined;
}

/** The marks of a new document that is stored by the driver; none if changes of its schema are not logged. */
export function marksOf(schema: Schema, document: object): object {
  if (schema.path('change_mark') === undefined) return {};
  const path = isInGroups(schema) ? { logged_path: pathOf.call(document as InGroups) } : {};
  return { ...path, change_mark: newMark(), is_first_change: true };
}

/** Returns true if an update changes a logged field. */
function isLogged({ silent = [] }: LoggedKind, update: object): boolean {
  const isTold = (path: string) => {
    const [field = ''] = path.split('.', 1);
    return !silent.includes(field) && !silent.includes(path) && !ALWAYS_SILENT.includes(field);
  };
  return Object.entries(update).some(([name, change]) =>
    name.startsWith('$') ? Object.keys(change as object).some(isTold) : isTold(name),
  );
}
