import { type ClassType, Extensions, Field, ObjectType } from 'type-graphql';

/** Declares a record, of which each field has its own value unless a resolver computes it. */
export function RecordType(description: string): ClassDecorator {
  return ObjectType({ simpleResolvers: true, description });
}

/** Declares a field that may be null, or a member of an input that may be omitted. */
export function NullableField(type: () => unknown, description: string): PropertyDecorator {
  return Field(type as () => ClassType, { nullable: true, description });
}

/** Marks a field that REST omits, such as a relation; a row may name it in `expand`. */
export function GraphqlOnly(): PropertyDecorator & MethodDecorator {
  return Extensions({ graphqlOnly: true }) as PropertyDecorator & MethodDecorator;
}

/** Marks a field of an input that may be omitted, but is rejected as null: nothing clears it. */
export function NotNull(): PropertyDecorator {
  return Extensions({ notNull: true }) as PropertyDecorator;
}
