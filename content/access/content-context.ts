import type { Visitor, WebsiteUser } from '../../auth/caller.ts';
import type { HeldMemory } from '../../http/requests/body-memory.ts';
import type { StoredItem } from '../models/content-item.ts';
import { type StoredSettings, readSettings } from '../models/site-settings.ts';
import type { Service } from '../../models/store/service.ts';
import { ContentError } from '../schema/content-error.ts';
import { once } from '../../schema/once.ts';
import { currentStamp } from '../caching/current-stamp.ts';

/** A file of a multipart form. */
export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The raw body of a request, for operations that take files. */
export interface IncomingBody {
  /** Headers of the request by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The whole body; empty if it was a form of parts, whose files are in {@link files}. */
  readonly bytes: Uint8Array;
  /** Files of a multipart form by the name of their field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** An item as a list has read it, possibly without its texts. */
export type ListedItem = Omit<StoredItem, 'content' | 'excerpt'>;

/** Everything that one request carries through the resolvers of the content schema. */
export interface ContentContext {
  readonly service: Service;
  readonly caller: Visitor | WebsiteUser;
  /** Address of the website without a trailing slash; every address that is shown begins with it. */
  readonly site: string;
  /** Address of the content interface, below {@link site}. */
  readonly api: string;
  /** The website's settings, read once per request. */
  readonly settings: () => Promise<StoredSettings>;
  /** The stamp of content, read once per request, before anything that is cached under it; null if nothing may be cached. */
  readonly stamp: () => Promise<string | null>;
  /**
   * Items that the request has read by their ids, so that permissions and answers refer to the same state; a change clears
   * them.
   */
  readonly items: Map<unknown, Promise<StoredItem | null>>;
  /** Items that the request has listed, by id, for objects embedded in the list. */
  readonly listed: Map<number, ListedItem>;
  /** Facts about the client program. */
  readonly client: { readonly ip: string; readonly userAgent: string };
  readonly body: IncomingBody;
  /** Memory for data decoded from the body; unlimited if absent. */
  readonly memory?: HeldMemory | undefined;
}

/** Makes the context of a request; missing parts are read when they are needed. */
export function contentContext(
  parts: Pick<ContentContext, 'service' | 'caller' | 'site' | 'client'> &
    Partial<Pick<ContentContext, 'stamp' | 'body' | 'memory'>>,
): ContentContext {
  const { service, site } = parts;
  return {
    api: `${site}/wp-json`,
    settings: once(() => readSettings(service)),
    stamp: once(() => currentStamp(service)),
    items: new Map(),
    listed: new Map(),
    body: { headers: {}, bytes: new Uint8Array(), files: new Map() },
    ...parts,
  };
}

/** The caller of the request. */
export type Asking = Pick<ContentContext, 'caller'>;

/** Id of the website user who sends the request, 0 for a visitor. */
export function userIdOf({ caller }: Asking): number {
  return caller.kind === 'website' ? caller.user_id : 0;
}

/**
 * Rejects a caller without sufficient rights: a visitor, who might sign in, with 401, a user with 403.
 *
 * @throws ContentError always
 */
export function reject(code: string, message: string, { caller }: Asking): never {
  throw new ContentError(code, message, caller.kind === 'website' ? 403 : 401);
}
