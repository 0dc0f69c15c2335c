import { GraphQLScalarType, Kind } from 'graphql';

/** A whole number of any size that JavaScript can hold; GraphQL's own Int ends at 2^31. */
export const Integer = new GraphQLScalarType<number, number>({
  name: 'Integer',
  description: 'A whole number.',
  serialize: toNumber,
  parseValue: toNumber,
  parseLiteral: (node) => (node.kind === Kind.INT ? Number(node.value) : toNumber(node)),
});

function toNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError('This must be a whole number');
  return value;
}
