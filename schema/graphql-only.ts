import { Extensions } from 'type-graphql';

/** Marks a field that REST omits, such as a relation; a row may name it in `expand`. */
export function GraphqlOnly(): PropertyDecorator & MethodDecorator {
  return Extensions({ graphqlOnly: true }) as PropertyDecorator & MethodDecorator;
}
