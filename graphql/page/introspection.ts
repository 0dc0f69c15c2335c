/** A type as a field refers to it, lists and non-nulls wrapped around a name. */
export interface TypeReference {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeReference | null;
}

/** An argument, or a field of an input object. */
export interface InputValue {
  readonly name: string;
  readonly description: string | null;
  readonly type: TypeReference;
  readonly defaultValue: string | null;
}

/** A field of an object. */
export interface FieldDescription {
  readonly name: string;
  readonly description: string | null;
  readonly args: readonly InputValue[];
  readonly type: TypeReference;
}

/** A named type. */
export interface TypeDescription {
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly FieldDescription[] | null;
  readonly inputFields: readonly InputValue[] | null;
  readonly enumValues: readonly { readonly name: string; readonly description: string | null }[] | null;
}

/** Schema as received by the page: the answer to {@link INTROSPECTION}. */
export interface SchemaDescription {
  readonly queryType: { readonly name: string };
  readonly mutationType: { readonly name: string } | null;
  readonly types: readonly TypeDescription[];
}

/** Asks for the schema, types being wrapped at most three times: a non-null list of non-nulls. */
export const INTROSPECTION = `
  fragment Reference on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
  fragment Input on __InputValue { name description type { ...Reference } defaultValue }
  {
    __schema {
      queryType { name }
      mutationType { name }
      types {
        kind name description
        fields { name description args { ...Input } type { ...Reference } }
        inputFields { ...Input }
        enumValues { name description }
      }
    }
  }`;
