/** A request to the content interface, to be sent to both sites. */
export interface GeneratedRequest {
  readonly method: string;
  /** The usual method and the route, by which differences are grouped. */
  readonly endpoint: string;
  /** Route as the index of the interface names it. */
  readonly route: string;
  /** Path and query, from the root of the site. */
  readonly path: string;
  /** Login of the user who sends it; null for a visitor. */
  readonly login: string | null;
  /** Media type and text of the body; null without one. */
  readonly body: { readonly type: string; readonly text: string } | null;
  /** Parameters that the request is about, as a person would name them. */
  readonly about: string;
}

/** True for a request that changes nothing. */
export function isRead({ method }: Pick<GeneratedRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Writes a request as a command of a shell. */
export function curlOf({ method, path, login, body }: GeneratedRequest, site: string, password: string): string {
  const parts = ['curl -si'];
  if (login !== null) parts.push(`-u ${quoted(`${login}:${password}`)}`);
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (body !== null) parts.push(`-H ${quoted(`content-type: ${body.type}`)} --data-raw ${quoted(body.text)}`);
  return [...parts, quoted(site + path)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
