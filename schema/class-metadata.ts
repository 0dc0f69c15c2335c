/** The part of type-graphql's metadata that is used here; the package keeps it in a global and exports no accessor. */
interface ClassMetadata {
  readonly fields: readonly {
    target: unknown;
    readonly name: string;
    readonly getType: () => unknown;
    readonly typeOptions: { readonly array?: boolean; readonly nullable?: unknown; readonly defaultValue?: unknown };
  }[];
  readonly fieldExtensions: readonly { target: unknown }[];
}

/** Returns the metadata of all classes that have been read. */
export function classMetadata(): ClassMetadata {
  const { TypeGraphQLMetadataStorage: metadata } = globalThis as unknown as {
    /** Absent until the first class with fields has been read. */
    TypeGraphQLMetadataStorage?: ClassMetadata;
  };
  return metadata ?? { fields: [], fieldExtensions: [] };
}
