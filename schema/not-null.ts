import { Extensions } from 'type-graphql';

/** Marks a field of an input that may be omitted, but is rejected as null: nothing clears it. */
export function NotNull(): PropertyDecorator {
  return Extensions({ notNull: true }) as PropertyDecorator;
}
