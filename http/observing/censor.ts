const HIDDEN = '[hidden]';

/** Patterns of credentials in text that was not written for logs, such as messages of driver errors. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Authorization header values (RFC 9110, section 11.4)
  [/\b(Bearer|Basic)(\s+)[^\s"'\\,]+/gi, `$1$2${HIDDEN}`],
  // user and password in an address, as in a MongoDB connection string
  [/:\/\/[^\s/"'\\]+@/g, `://${HIDDEN}@`],
  // query strings
  [/\?[^\s"'\\?=]+=[^\s"'\\]*/g, `?${HIDDEN}`],
  // named values, also in JSON inside JSON
  [
    /((?:password|passwd|secret|token|api[-_]?key|authorization|cookie)[\\"']*\s*[:=]\s*[\\"']*)[^\s\\"',;&}]+/gi,
    `$1${HIDDEN}`,
  ],
  // JSON Web Tokens (RFC 7519)
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  // keys of this service: 256 random bits as base64url; a trace id or a digest in hexadecimal stays
  [/(?<![\w-])(?![0-9a-f-]+(?![\w-]))[\w-]{40,}/g, HIDDEN],
];

/** Removes text that looks like a credential from a log line. */
export function censor(line: string): string {
  return SECRETS.reduce((text, [secret, replacement]) => text.replace(secret, replacement), line);
}
