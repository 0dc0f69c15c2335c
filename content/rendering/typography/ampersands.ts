const BARE = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;
const LOOSE = /&([^#])(?![a-z1-4]{1,8};)/gi;

/** Writes every `&` that begins no character reference as `&#038;`. */
export function escapeAmpersands(text: string): string {
  return text.replace(BARE, '&#038;');
}

/** As `escapeAmpersands`, but leaves whatever begins with `&#`, and an `&` at the end. */
export function escapeLooseAmpersands(text: string): string {
  return text.replace(LOOSE, '&#038;$1');
}
