/** Writes parameters as PHP reads them from a query or a form: `a[]=1` and `a[b]=2`; null is an empty text. */
export function phpForm(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => pairs(encodeURIComponent(name), value))
    .join('&');
}

function pairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => pairs(`${name}[]`, member));
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => pairs(`${name}[${encodeURIComponent(key)}]`, member));
  }
  const text = value === null ? '' : value === true ? '1' : value === false ? '0' : String(value);
  return [`${name}=${encodeURIComponent(text)}`];
}
