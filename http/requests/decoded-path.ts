/** A path, or a part of one, with its characters as they are; as it came where its escapes are none. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
