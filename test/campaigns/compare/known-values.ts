/**
 * Pairs of values that the two sides made at random for the same purpose. A value that both sides show in the same place
 * for the first time is one value from then on: wherever one side shows its own, the other must show its counterpart.
 */
export class KnownValues {
  readonly #rightOf = new Map<string, string>();
  readonly #leftOf = new Map<string, string>();

  /** Returns true if two values are the same one; a pair of which neither was seen before becomes known. */
  isPair(left: string, right: string): boolean {
    const known = this.#rightOf.get(left);
    if (known !== undefined) return known === right;
    if (this.#leftOf.has(right)) return false;
    if (left !== right && !(isRandom(left) && isRandom(right))) return false;
    this.#rightOf.set(left, right);
    this.#leftOf.set(right, left);
    return true;
  }
}

/** Words of people in a row, in any of the usual ways of writing names. */
const NAME = /^(?:[-_]*[A-Z]?[a-z]{2,})+[-_\d]*$/;
/** Least share of neighbouring characters of different kinds; texts of people have far fewer. */
const LEAST_CHANGES = 0.19;

/** Tells values that a generator made from words of people, by how often letters of both cases, digits and signs alternate. */
function isRandom(text: string): boolean {
  const kinds = [...text].map((character) => {
    if (/[a-z]/.test(character)) return 'lower';
    if (/[A-Z]/.test(character)) return 'upper';
    return /\d/.test(character) ? 'digit' : 'sign';
  });
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return !NAME.test(text) && changes >= LEAST_CHANGES * (text.length - 1);
}
