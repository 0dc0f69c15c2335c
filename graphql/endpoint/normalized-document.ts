import { createHash } from 'node:crypto';

import { GraphQLError, Kind, parse, print } from 'graphql';
import { LRUCache } from 'lru-cache';

import { GRAPHQL_LIMITS } from './graphql-limits.ts';

/** Identity of a document, independent of comments and white space. */
export interface NormalizedDocument {
  /** SHA-256 of the document as `print` writes it. */
  readonly hash: string;
  /** Names of the variables that its operations declare, sorted. */
  readonly variables: readonly string[];
}

/** Maximum size of the texts whose normalized documents are cached, in characters. */
const MAX_CHARACTERS = 1024 * 1024;

/** Normalized documents by text; null for a text that is not a document. Clients repeat the same few documents. */
const normalized = new LRUCache<string, { readonly document: NormalizedDocument | null }>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (_, text) => text.length + 100,
});

/** Normalizes the text of a document; null if it cannot be parsed, or exceeds the limits. */
export function normalizeDocument(text: string): NormalizedDocument | null {
  const known = normalized.get(text);
  if (known) return known.document;
  const document = readDocument(text);
  normalized.set(text, { document });
  return document;
}

function readDocument(text: string): NormalizedDocument | null {
  try {
    const document = parse(text, { noLocation: true, maxTokens: GRAPHQL_LIMITS.tokens });
    const names = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
        : [],
    );
    const hash = createHash('sha256').update(print(document)).digest('base64url');
    return { hash, variables: [...new Set(names)].toSorted() };
  } catch (error) {
    // The parser recurses, so a document of only opening brackets may exhaust the stack.
    if (error instanceof GraphQLError || error instanceof RangeError) return null;
    throw error;
  }
}
