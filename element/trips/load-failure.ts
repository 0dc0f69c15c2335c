/** The token is missing or was rejected: reported by `auth-error` (specification, Events). */
export class AuthError extends Error {
  override readonly name = 'AuthError';
}

/** Trip data could not be retrieved for any other reason: reported by `api-error` (specification, Events). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
}
