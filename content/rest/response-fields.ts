/** Something with members that can be picked: a record, or a document of the interface. */
export type Members = Readonly<Record<string, unknown>>;

/** The names in `_fields`; undefined where it is not given. */
export function fieldsAsked(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,]+/);
  return names.map((name) => name.trim());
}

/** The members with the given names, at the top level only; an empty list where there are none, as PHP has it. */
export function pickFields(members: Members, names: readonly string[]): Members | readonly [] {
  const picked = Object.entries(members).filter(([name]) => names.includes(name));
  return picked.length > 0 ? Object.fromEntries(picked) : [];
}
