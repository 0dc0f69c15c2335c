/** The form of a name that nobody replaced; written so that it does not hold the name itself. */
const UNFILLED = /^__[A-Z_]+__$/;

/**
 * Where the component reads trips: the attribute, else what the server wrote into the file, else nowhere.
 *
 * The default of `written` is the one place in the built file where the server, when it serves that file, puts its
 * GraphQL address: it replaces the name between the quotes by the address as a JSON string would hold it. A copy that
 * somebody saves therefore works unchanged.
 */
export function serviceUrlOf(attribute: string | null, written: string = '__WAYBRIDGE_GRAPHQL_URL__'): string | null {
  if (attribute) return attribute;
  return UNFILLED.test(written) ? null : written;
}
