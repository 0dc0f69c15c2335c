import type { Answer } from './answer.ts';
import { firstDifference } from './first-difference.ts';
import { NORMALISED_PARTS, type NormalisedContext } from './normalised.ts';

/** A difference between two answers to the same request. */
export interface Difference {
  /** Such as `status`, `header content-type` or `body`. */
  readonly part: string;
  /** The answers of the commit and of the tree there; null where the part is absent. */
  readonly before: string | null;
  readonly now: string | null;
}

/** Characters shown on each side of the place at which texts differ. */
const SHOWN = 70;

/**
 * Compares the answers to a request, part by part, bodies to the letter: the order of members of JSON counts.
 *
 * @param request `METHOD /path` or a command line, for rules that are for some requests only
 */
export function compareAnswers(request: string, left: Answer, right: Answer, context: NormalisedContext): Difference[] {
  const parts = [...new Set([...left.keys(), ...right.keys()])];
  return parts.flatMap((part) => {
    const before = normalised(request, part, left.get(part));
    const now = normalised(request, part, right.get(part));
    if (before === undefined || now === undefined) {
      return [{ part, before: before?.slice(0, 2 * SHOWN) ?? null, now: now?.slice(0, 2 * SHOWN) ?? null }];
    }
    const place = firstDifference(before, now, context);
    if (place === null) return [];
    return [{ part, before: excerpt(before, place.left), now: excerpt(now, place.right) }];
  });
}

function normalised(request: string, part: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const rules = NORMALISED_PARTS.filter((rule) => rule.part.test(part) && (rule.request?.test(request) ?? true));
  return rules.reduce((so, rule) => rule.normalise(so), text);
}

function excerpt(text: string, at: number): string {
  const begin = Math.max(0, at - SHOWN);
  const end = at + SHOWN;
  return `${begin > 0 ? '…' : ''}${text.slice(begin, end)}${end < text.length ? '…' : ''}`;
}
