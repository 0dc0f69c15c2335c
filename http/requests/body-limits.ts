/** Maximum body of a request, in bytes; `permitLargeBody` allows a larger one. */
export const BODY_LIMIT = 1024 * 1024;
/** Maximum body of a form of the account pages and of OAuth, in bytes. */
export const MAX_FORM = 64 * 1024;
/** Maximum body of an uploaded file, in bytes. */
export const UPLOAD_LIMIT = 32 * 1024 * 1024;
/** Maximum body of a file of recorded trips, in bytes; it is written to disk, not held in memory. */
export const MAX_TRIPS_FILE = 100 * 1024 * 1024;
/** Maximum body of content from visitors, in bytes: a comment of the maximum length, escaped. */
export const MAX_ANONYMOUS_BODY = 512 * 1024;
/** Default of the memory for all large bodies and decoded images together, in bytes. */
export const MAX_UPLOAD_MEMORY = 256 * 1024 * 1024;
/** Minimum memory for uploads of one of several processes, in bytes: the largest body, or a picture of 33 megapixels. */
export const MIN_UPLOAD_MEMORY = 128 * 1024 * 1024;
/** Maximum body of parameters from users who may write posts, in bytes: a text may be as large as a record. */
export const MAX_CONTENT_BODY = 16 * 1024 * 1024;
/** Maximum body of GraphQL from visitors, in bytes: introspection, the longest operation that they may run, has 3 KiB. */
export const MAX_ANONYMOUS_OPERATION = 64 * 1024;
/** Maximum body of a message from a phone app, which names its device, in bytes: one position has 1 KiB. */
export const MAX_APP_MESSAGE = 64 * 1024;
/** Maximum body of a request for a special-purpose token, in bytes: far more than a valid one, so that errors in a large one are still named. */
export const MAX_TOKEN_REQUEST = 128 * 1024;
/** Maximum body of a request for the OAuth endpoints, in bytes: that of their library. */
export const MAX_OAUTH_REQUEST = 56 * 1024;
