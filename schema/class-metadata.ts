/** The part of type-graphql's metadata that is used here; the package keeps it in a global and exports no accessor. */
interface ClassMetadata {
  readonly fields: readonly {
    target: unknown;
    readonly name: string;
    readonly getType: () => unknown;
    readonly typeOptions: { readonly array?: boolean; readonly nullable?: unknown; readonly defaultValue?: unknown };
  }[];
  readonly fieldExtensions: readonly { target: unknown }[];
  readonly objectTypes: readonly { target: unknown; readonly name: string }[];
  /** Methods that resolve fields, as far as schemas have been built of them. */
  readonly fieldResolvers: readonly {
    readonly target: new () => Readonly<Record<string, (...values: unknown[]) => unknown>>;
    readonly methodName: string;
    readonly schemaName: string;
    readonly params: readonly (
      | { readonly index: number; readonly kind: 'root' | 'args' | 'context' | 'info' }
      | { readonly index: number; readonly kind: 'arg'; readonly name: string }
    )[];
    readonly getObjectType: () => unknown;
  }[];
}

/** Returns the metadata of all classes that have been read. */
export function classMetadata(): ClassMetadata {
  const { TypeGraphQLMetadataStorage: metadata } = globalThis as unknown as {
    /** Absent until the first class with fields has been read. */
    TypeGraphQLMetadataStorage?: ClassMetadata;
  };
  return metadata ?? { fields: [], fieldExtensions: [], objectTypes: [], fieldResolvers: [] };
}
