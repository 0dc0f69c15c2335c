import { check, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import type { Doc } from '../bson/value.ts';
import type { Variables } from './expression.ts';

/** Context of a filter: the variables it may use, and the comparison of strings. */
export interface FilterContext {
  readonly variables: Variables;
  readonly collator?: Intl.Collator | undefined;
}

/** No variables, and strings compare byte by byte. */
export const PLAIN: FilterContext = { variables: new Map() };

const SENSITIVITIES = ['base', 'accent', 'variant'] as const;

/** Reads a collation; undefined for the simple one. Throws for options that JavaScript's collator does not have. */
export function parseCollation(collation: Doc | undefined): Intl.Collator | undefined {
  if (!collation || collation.get('locale') === 'simple') return undefined;
  const { locale, strength = 3, ...others } = Object.fromEntries(collation);
  check(typeof locale === 'string', 'BadValue', "Field 'locale' is missing from the collation");
  const sensitivity = isNumeric(strength) ? SENSITIVITIES[toNumber(strength) - 1] : undefined;
  const tag = locale.replaceAll('_', '-');
  const [other] = Object.keys(others);
  if (!sensitivity || other || Intl.Collator.supportedLocalesOf([tag]).length === 0)
    throw unsupported(`The collation ${locale} with its option ${other ?? 'strength'}`);
  return new Intl.Collator(tag, { sensitivity });
}
