/** Supported content encodings, the best compression first. */
export const ENCODINGS = ['br', 'gzip'] as const;

/** One of {@link ENCODINGS}. */
export type Encoding = (typeof ENCODINGS)[number];

/** The best compression that a client accepts, by its `Accept-Encoding` (RFC 9110, section 12.5.3); null if there is none. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | null {
  const weights = new Map<string, number>();
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, q === undefined ? 1 : Number(q));
  }
  return ENCODINGS.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) ?? null;
}
