import { createHash } from 'node:crypto';

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  Source,
  specifiedRules,
  validate,
} from 'graphql';

import { ConfigError } from '../../schema/config-error.ts';
import { once } from '../../schema/once.ts';
import { withDateTimeVariables } from './former-variables.ts';
import { GRAPHQL_LIMITS } from './graphql-limits.ts';
import { VALIDATION_RULES } from './validation-rules.ts';

/** A document that is executed by id, parsed and validated. */
export interface TrustedDocument {
  /** Name of its file. */
  readonly name: string;
  /** Text as written: its SHA-256 is the id. */
  readonly text: string;
  readonly document: DocumentNode;
}

/** Text of a document, with the name of its file for errors. */
export interface DocumentSource {
  readonly name: string;
  readonly text: string;
}

/**
 * The documents that an endpoint executes by id and that it trusts. Each is parsed and validated once, with the limits that apply
 * to all others: those of an operator at startup, those of the service when they are first executed.
 */
export class TrustedDocuments {
  readonly #byId = new Map<string, TrustedDocument>();
  readonly #byText = new Map<string, TrustedDocument>();

  /**
   * @param own texts of the service
   * @throws ConfigError naming a source that is not one operation of the schema
   */
  constructor(schema: GraphQLSchema, sources: readonly DocumentSource[] = [], own: readonly string[] = []) {
    for (const text of own) {
      const source = { name: 'a page', text };
      const read = once(() => readDocument(schema, source));
      this.#add({
        ...source,
        get document() {
          return read();
        },
      });
    }
    for (const source of sources) this.#add({ ...source, document: readDocument(schema, source) });
  }

  #add(trusted: TrustedDocument): void {
    this.#byId.set(documentIdOf(trusted.text), trusted);
    this.#byText.set(trusted.text, trusted);
  }

  /** All documents, in the order of their sources. */
  all(): readonly TrustedDocument[] {
    return [...this.#byId.values()];
  }

  /** Finds a document by its id, as {@link documentIdOf} writes it. */
  find(id: string): TrustedDocument | undefined {
    return this.#byId.get(id);
  }

  /** Finds a document by its text, which must be identical. */
  findText(text: string): TrustedDocument | undefined {
    return this.#byText.get(text);
  }
}

/** The id of a document in the GraphQL-over-HTTP draft (appendix A): `sha256:` and its hash in lower-case hexadecimal. */
export function documentIdOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function readDocument(schema: GraphQLSchema, { name, text }: DocumentSource): DocumentNode {
  const document = withDateTimeVariables(schema, parseDocument(name, text));
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1) throw invalid(name, `it has ${operations.length} operations, and must have one`);
  const [error] = validate(schema, document, [...specifiedRules, ...VALIDATION_RULES]);
  if (error) throw invalid(name, placed(error));
  return document;
}

function parseDocument(name: string, text: string): DocumentNode {
  try {
    return parse(new Source(text, name), { maxTokens: GRAPHQL_LIMITS.tokens });
  } catch (error) {
    throw invalid(name, error instanceof GraphQLError ? placed(error) : 'its brackets are nested too deeply');
  }
}

function placed({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  return place ? `line ${place.line}, column ${place.column}: ${message}` : message;
}

function invalid(name: string, reason: string): ConfigError {
  return new ConfigError(`TRUSTED_DOCUMENTS must have valid documents only; ${name}: ${reason}`);
}
