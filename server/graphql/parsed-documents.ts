import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Maximum text of all cached operations, in characters; a parsed one takes eighty times the memory of its text. */
const MAX_TEXT = 64 * 1024;

/** Makes the store of parsed operations, which evicts the least recently used first. */
export function parsedDocuments(): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_TEXT,
    sizeCalculation: ({ loc }) => loc?.source.body.length || MAX_TEXT,
  });
  return {
    get: async (hash) => documents.get(hash),
    set: async (hash, document) => {
      documents.set(hash, document);
    },
    delete: async (hash) => documents.delete(hash),
  };
}
