/** Greatest body of a request, in bytes; who may send a larger one is told to `permitLargeBody`. */
export const BODY_LIMIT = 1024 * 1024;
/** Greatest body of an uploaded file, in bytes. */
export const UPLOAD_LIMIT = 32 * 1024 * 1024;
/** Maximum body of content from somebody who proves nothing, in bytes: a comment of the greatest length, escaped. */
export const MAX_ANONYMOUS_BODY = 512 * 1024;
/** Memory for large bodies that are held at once, in bytes, unless the settings say otherwise. */
export const MAX_UPLOAD_MEMORY = 128 * 1024 * 1024;
/** Maximum body of parameters from somebody who may upload files, in bytes: a text may be as large as a record. */
export const MAX_CONTENT_BODY = 16 * 1024 * 1024;
/** Maximum body of GraphQL from somebody who proves nothing, in bytes: introspection, the longest that they may ask, has 3 KiB. */
export const MAX_ANONYMOUS_OPERATION = 64 * 1024;
/** Maximum body of a request for a special-purpose token, in bytes: far more than any, so that what is wrong is still named. */
export const MAX_TOKEN_REQUEST = 128 * 1024;
