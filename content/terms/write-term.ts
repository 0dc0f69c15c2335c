import { foldText, ContentItemStore } from '../models/content-item.ts';
import { nextNumber } from '../models/sequence.ts';
import { nameKeyOf, type StoredTerm, TermStore } from '../models/term.ts';
import { changeVersioned } from '../models/versions.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import type { TAG_WRITE } from '../schema/parameters/term-parameters.ts';
import { cleanName } from '../rendering/text-field.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';
import { slugOf, givenSlug } from '../rendering/slug.ts';
import { trimAscii } from '../rendering/markup/white-space.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { findTerm, noTerm, parentWithoutLoop, loadAncestors, type PlacedTerm } from './term-view.ts';
import type { Service } from '../../models/store/service.ts';
import { upFrom } from '../access/permalink.ts';
import { typesWithTerms } from '../schema/kinds/content-kinds.ts';
import { makeNotedChange } from '../items/pending/pending-changes.ts';
import { recountTerms } from '../items/pending/recount-terms.ts';

/** Fields of a term that can be written. */
export type TermArguments = Partial<ParametersOf<Omit<typeof TAG_WRITE, 'meta'>>>;

/** Maximum length of a name, ready for HTML, and of a slug. */
const MAX_LENGTH = 200;

const fits = ({ name, slug }: Pick<StoredTerm, 'name' | 'slug'>) =>
  [...name].length <= MAX_LENGTH && slug.length <= MAX_LENGTH;

/**
 * Adds a term. Its slug is derived from its name by default, and made unique.
 *
 * @throws ContentError `empty_term_name`, `term_exists` (data: `term_id`), `db_insert_error` if name or slug are too
 *   long, and those of {@link checkedParent}
 */
export async function insertTerm(service: Service, kind: TermKind, args: TermArguments): Promise<StoredTerm> {
  const parent = await checkedParent(service, kind, args.parent);
  const name = cleanName(args.name ?? '');
  if (trimAscii(args.name ?? '') === '') throw emptyName();
  const wanted = givenSlug(args.slug ?? '');
  const slug = wanted === '' ? slugOf(name) : wanted;
  const description = sanitizeHtml(args.description ?? '', 'comment');
  const term = { taxonomy: kind.taxonomy, name, name_folded: foldText(name), description, parent, count: 0 };
  const isSlugGiven = wanted !== '';
  const nameKey = isSlugGiven ? {} : { name_key: nameKeyOf(term) };
  let number: number | undefined;
  for (;;) {
    const free = slug === '' ? null : await freeTermSlug(service, kind, { slug, parent });
    await rejectDuplicates(service, kind, { name, slug, parent, isSlugGiven });
    const twin = free?.isTaken ? await termAt(service, kind, free.slug) : null;
    if (twin) return twin;
    if (!fits({ name, slug: free?.slug ?? '' })) {
      throw new ContentError('db_insert_error', 'Could not insert term into the database', 500, null);
    }
    number ??= await nextNumber(service, 'terms');
    const numbered = free ?? (await freeTermSlug(service, kind, { slug: String(number), parent }));
    // Another request may have taken the name or the slug in the meantime.
    const inserted = { id: number, ...term, slug: numbered.slug, ...nameKey };
    if (await insertIfAbsent(() => TermStore.create(service, inserted), 'name_key', 'slug')) return inserted;
  }
}

async function termAt(service: Service, { taxonomy }: TermKind, slug: string): Promise<StoredTerm | null> {
  return TermStore.findOne(service, { taxonomy, slug }).select({ _id: 0 });
}

/**
 * Changes a term; omitted fields stay unchanged, and so do name and slug if one of them is too long. A parent below the
 * term makes it a top-level term. If another request
 * changes the term or takes the slug meanwhile, the change is computed again.
 *
 * @throws ContentError `rest_term_invalid`, `empty_term_name`, `duplicate_term_slug`, and those of {@link checkedParent}
 */
export async function changeTerm(
  service: Service,
  kind: TermKind,
  args: TermArguments & { readonly id: number | undefined },
): Promise<StoredTerm> {
  const find = () => findTerm(service, kind, args.id);
  return changeVersioned(service, TermStore, find, (term) => changedTerm(service, kind, term, args), 'slug');
}

async function changedTerm(
  service: Service,
  kind: TermKind,
  term: StoredTerm,
  args: TermArguments,
): Promise<StoredTerm> {
  const wanted = args.parent === undefined ? term.parent : await checkedParent(service, kind, args.parent);
  const name = cleanName(args.name ?? term.name);
  if (trimAscii(name) === '') throw emptyName();
  const parent = await parentWithoutLoop(service, term.id, wanted);
  const slug = await changedSlug(service, kind, term, { ...args, name, parent });
  const { name_folded } = term;
  const changes = {
    ...(fits({ name, slug })
      ? { name, name_folded: foldText(name), slug }
      : { name: term.name, name_folded, slug: term.slug }),
    description: sanitizeHtml(args.description ?? term.description, 'comment'),
    parent,
  };
  const { name_key, ...others } = term;
  const isNamedAlike = changes.name === term.name && parent === term.parent;
  return { ...others, ...changes, ...(isNamedAlike && name_key !== undefined ? { name_key } : {}) };
}

/** A slug of another term is rejected if it was requested and the term does not move. */
async function changedSlug(
  service: Service,
  kind: TermKind,
  term: StoredTerm,
  { name, slug: requested, parent }: { name: string; slug?: string | undefined; parent: number },
): Promise<string> {
  const given = requested === undefined ? term.slug : givenSlug(requested);
  const slug = given === '' ? slugOf(name) : given;
  const other = await TermStore.exists(service, { taxonomy: kind.taxonomy, slug, id: { $ne: term.id } });
  if (!other) return slug === '' ? String(term.id) : slug;
  const free =
    given === '' || parent !== term.parent ? await freeTermSlug(service, kind, { slug, parent, id: term.id }) : null;
  if (free && !free.isTaken) return free.slug;
  const message = `The slug &#8220;${slug}&#8221; is already in use by another term.`;
  throw new ContentError('duplicate_term_slug', message, 500, null);
}

/**
 * The id of the parent term, 0 if there is none.
 *
 * @throws ContentError if it does not exist, or the taxonomy is flat
 */
async function checkedParent(service: Service, kind: TermKind, given: unknown): Promise<number> {
  if (given === undefined || given === null) return 0;
  if (!kind.isTree) {
    const message = 'Cannot set parent term, taxonomy is not hierarchical.';
    throw new ContentError('rest_taxonomy_not_hierarchical', message, 400);
  }
  if (given === 0) return 0;
  if (!(await TermStore.exists(service, { id: given, taxonomy: kind.taxonomy }))) {
    throw new ContentError('rest_term_invalid', 'Parent term does not exist.', 400);
  }
  return Number(given);
}

/** Two siblings may have the same name only if the newer one requests a different slug. */
async function rejectDuplicates(
  service: Service,
  kind: TermKind,
  { name, slug, parent, isSlugGiven }: { name: string; slug: string; parent: number; isSlugGiven: boolean },
): Promise<void> {
  const siblings = { taxonomy: kind.taxonomy, parent };
  const named = await TermStore.find(service, { ...siblings, name_folded: foldText(name) }).sort({ id: 1 });
  const sameName = named.find((term) => term.name.toLowerCase() === name.toLowerCase());
  if (!sameName) return;
  const sameSlug = await termAt(service, kind, slug);
  if (isSlugGiven && !sameSlug) return;
  if (!kind.isTree) throw exists('A term with the name provided already exists in this taxonomy.', sameName);
  const isSpeltAlike = named.some((term) => term.name === name);
  const message = 'A term with the name provided already exists with this parent.';
  if (isSpeltAlike && (!isSlugGiven || sameName.slug === slug)) throw exists(message, sameName);
  if (sameSlug?.parent === parent) throw exists(message, sameSlug);
}

function exists(message: string, { id }: StoredTerm): ContentError {
  return new ContentError('term_exists', message, 409, { term_id: id });
}

function emptyName(): ContentError {
  return new ContentError('empty_term_name', 'A name is required for this term.', 500, null);
}

/**
 * A slug that no other term of the taxonomy has: the requested one, or with those of as few ancestors as
 * needed, or with a number. Even with all ancestors it may be taken, by a term with a slug made in the same way.
 */
async function freeTermSlug(
  service: Service,
  kind: TermKind,
  { slug, parent, id = 0 }: { readonly slug: string; readonly parent: number; readonly id?: number },
): Promise<{ readonly slug: string; readonly isTaken: boolean }> {
  const isTaken = async (candidate: string, filter = {}) =>
    (await TermStore.exists(service, { slug: candidate, id: { $ne: id }, ...filter })) !== null;
  if (!(await isTaken(slug, { taxonomy: kind.taxonomy }))) return { slug, isTaken: false };
  const above = kind.isTree && parent !== 0 ? await TermStore.findOne(service, { id: parent }) : null;
  if (above) {
    let candidate = slug;
    for (const term of upFrom<PlacedTerm>(above, await loadAncestors(service, [above]))) {
      candidate += `-${term.slug}`;
      if (!(await isTaken(candidate))) return { slug: candidate, isTaken: false };
    }
    return { slug: candidate, isTaken: true };
  }
  let number = 2;
  while (await isTaken(`${slug}-${number}`)) number++;
  return { slug: `${slug}-${number}`, isTaken: false };
}

/**
 * Deletes a term. Posts that would be left without a category get the default one if there is one, and its child terms move up.
 * The term is deleted last, so that an interrupted deletion can be repeated.
 *
 * @throws ContentError `rest_term_invalid` if another request has deleted it
 */
export async function deleteTerm(
  service: Service,
  kind: TermKind,
  term: StoredTerm,
  defaultCategory: number | null,
): Promise<void> {
  const { taxonomy } = kind;
  const fallback = kind.isTree ? await TermStore.findOne(service, { id: defaultCategory ?? 0, taxonomy }) : null;
  const remove = () => removeTerm(service, kind, term, fallback);
  const isDeleted = fallback
    ? await makeNotedChange(service, { item: 0, terms: [fallback.id] }, remove)
    : await remove();
  if (!isDeleted) throw noTerm();
}

async function removeTerm(
  service: Service,
  kind: TermKind,
  { id, parent }: StoredTerm,
  fallback: StoredTerm | null,
): Promise<boolean> {
  const { field, taxonomy } = kind;
  const type = { $in: typesWithTerms(kind) };
  if (fallback) {
    await ContentItemStore.updateMany(
      service,
      { type, $and: [{ [field]: id }, { [field]: { $size: 1 } }] },
      { $set: { [field]: [fallback.id] } },
    );
  }
  if (kind.isTree)
    await TermStore.updateMany(service, { taxonomy, parent: id }, { $set: { parent }, $unset: { name_key: 1 } });
  await ContentItemStore.updateMany(service, { type, [field]: id }, { $pull: { [field]: id } });
  const { deletedCount } = await TermStore.deleteOne(service, { id });
  if (fallback) await recountTerms(service, [fallback.id]);
  return deletedCount > 0;
}
