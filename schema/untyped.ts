import { GraphQLScalarType } from 'graphql';

/** A value that its resolver checks itself, because its endpoint defines the error for each wrong type. */
export const Untyped = new GraphQLScalarType({
  name: 'Untyped',
  description: 'Any JSON value; the description of the field defines its form.',
});
