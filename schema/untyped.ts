import { GraphQLScalarType } from 'graphql';

/** A value that its resolver judges itself, because its endpoint says what each wrong type means. */
export const Untyped = new GraphQLScalarType({
  name: 'Untyped',
  description: 'Any JSON value; the description of the field defines its form.',
});
