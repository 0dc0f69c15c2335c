import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import type { Doc } from '../bson/value.ts';
import type { Variables } from './expression.ts';

/** What a filter means beyond its own text: the variables it may use, and how strings compare. */
export interface FilterContext {
  readonly variables: Variables;
  readonly collator?: Intl.Collator | undefined;
}

/** No variables, and strings compare byte by byte. */
export const PLAIN: FilterContext = { variables: new Map() };

const SENSITIVITIES = ['base', 'accent', 'variant'] as const;

/** Reads a collation; undefined for the simple one. Options that JavaScript's collator does not have are refused. */
export function parseCollation(collation: Doc | undefined): Intl.Collator | undefined {
  if (!collation || collation.get('locale') === 'simple') return undefined;
  const { locale, strength = 3, ...others } = Object.fromEntries(collation);
  if (typeof locale !== 'string') throw new MongoError('BadValue', "Field 'locale' is missing from the collation");
  const sensitivity = isNumeric(strength) ? SENSITIVITIES[toNumber(strength) - 1] : undefined;
  const tag = locale.replaceAll('_', '-');
  const [other] = Object.keys(others);
  if (!sensitivity || other || Intl.Collator.supportedLocalesOf([tag]).length === 0)
    throw unsupported(`The collation ${locale} with its option ${other ?? 'strength'}`);
  return new Intl.Collator(tag, { sensitivity });
}
