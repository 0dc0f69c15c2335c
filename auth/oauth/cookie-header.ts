/** The value of a cookie in a `Cookie` header (RFC 6265, section 4.2), or null if it carries none of that name. */
export function cookieIn(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value ?? '';
  }
  return null;
}

/** Writes a `__Host-` cookie (RFC 6265bis, section 4.1.3); no seconds to live removes it. */
export function hostCookie(name: string, value: string, maxAge: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`;
}
