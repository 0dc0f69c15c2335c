const ATTRIBUTE = /([\w-]+)[ \t\n\v\f\r]*=[ \t\n\v\f\r]*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))(?=\s|$)/g;

/** Reads the attributes of a shortcode: names in lower case, the last of a name counts. What has no name is left out. */
export function shortcodeAttributes(source: string): ReadonlyMap<string, string> {
  const spaced = source.replace(/[\u00a0\u200b]+/g, ' ');
  return new Map(
    [...spaced.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare ?? '',
    ]),
  );
}
