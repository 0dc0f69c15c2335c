import { BATCH_SIZE } from './batch-size.ts';
import { fillDefaults } from './defaults-on-read.ts';
import { type ModelOf, shownFields } from './model-of.ts';
import { type AccessScope, findStored, type UNRESTRICTED } from './tenancy.ts';

/** Documents to read. Values of a filter have the types of the fields: nothing is cast. */
export interface ShownQuery<Hidden> {
  readonly accessScope: AccessScope | typeof UNRESTRICTED;
  readonly filter: Readonly<Record<string, unknown>>;
  /** Hidden fields that are read too. */
  readonly hidden?: readonly Hidden[];
}

/** Order and length of a list. */
interface ShownList {
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
}

/**
 * Documents of a model that are in the access scope, with the fields of their record: all that an answer is made of. It
 * reads by the driver ({@link findStored}), for what every second request asks for; other places query the model.
 */
export async function readShown<Document, Shown, Hidden extends keyof Document & string = never>(
  model: ModelOf<Document, Shown>,
  { accessScope, filter, hidden = [] }: ShownQuery<Hidden>,
  { sort, limit = 0 }: ShownList,
): Promise<(Shown & Pick<Document, Hidden>)[]> {
  const projection = shownFields(model, ...hidden);
  const options = { projection, sort: { ...sort }, limit, batchSize: BATCH_SIZE };
  const found = await findStored(model, accessScope, filter, options).toArray();
  fillDefaults(model.schema, found, projection);
  return found as never;
}

/** The one document that {@link readShown} would find, or null. */
export async function readOneShown<Document, Shown, Hidden extends keyof Document & string = never>(
  model: ModelOf<Document, Shown>,
  query: ShownQuery<Hidden>,
): Promise<(Shown & Pick<Document, Hidden>) | null> {
  const [found = null] = await readShown(model, query, { sort: {}, limit: 1 });
  return found;
}
