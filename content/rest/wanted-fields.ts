/** Names of the fields that the parameter `_fields` leaves in an answer; null where it is not given, for all of them. */
export function wantedFields(parameter: unknown): ReadonlySet<string> | null {
  if (parameter === undefined) return null;
  const isArray = typeof parameter === 'object' && parameter !== null;
  const names = isArray ? Object.values(parameter).map(String) : String(parameter).split(/[\s,]+/);
  return new Set(names.map((name) => name.trim()));
}
