/** Greatest body of a request, in bytes; who may send a larger one is told to `permitLargeBody`. */
export const BODY_LIMIT = 1024 * 1024;
/** Greatest body of an uploaded file, in bytes. */
export const UPLOAD_LIMIT = 32 * 1024 * 1024;
