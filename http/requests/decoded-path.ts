/** Decodes the percent-escapes of a path or a part of one; returns it unchanged if they are invalid. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
