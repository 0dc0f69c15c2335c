import { ServiceError } from '../../schema/service-error.ts';
import { once } from '../../schema/once.ts';

/** Minimum length of a new password, in characters (NIST SP 800-63B-4, section 3.1.1.2: a password that is used alone). */
export const MIN_PASSWORD_LENGTH = 15;

/** Maximum length of a password, in characters. Nothing is ever cut off. */
export const MAX_PASSWORD_LENGTH = 1024;

/** Characters of a password that are estimated, since the work grows faster than the length. */
const MAX_ESTIMATED_LENGTH = 64;

/** Score of the estimate from which a password is accepted: 10^10 guesses or more. */
const MIN_SCORE = 4;

/** Words that are guessed first here. */
const SERVICE_WORDS = ['waybridge'];

/**
 * Checks a password that is to be set. Length is counted in code points after NFKC; there are no rules of composition.
 * What is refused is common (a list of 49,000 passwords), repeated, sequential, or made of the e-mail address or the
 * service's name, also in combination. Passwords that are set already are not checked again.
 *
 * @param email address that the user signs in with
 * @throws ServiceError BAD_REQUEST naming the parameter `password`
 */
export async function checkNewPassword(password: string, email: string | null): Promise<void> {
  const { length } = [...password.normalize('NFKC')];
  if (length < MIN_PASSWORD_LENGTH) {
    throw rejection(
      `must have at least ${MIN_PASSWORD_LENGTH} characters; several words in a row are easy to remember`,
    );
  }
  if (length > MAX_PASSWORD_LENGTH) {
    throw rejection(`must have at most ${MAX_PASSWORD_LENGTH} characters; choose a shorter one`);
  }
  const estimator = await loadEstimator();
  const words = [email, ...(email ?? '').split(/[^\p{L}\p{N}]+/u), ...SERVICE_WORDS].filter((word) => word !== null);
  if (estimator.check(password.normalize('NFKC'), words).score < MIN_SCORE) {
    throw rejection('is too easy to guess: it is common, repeated, or made of known words; choose words at random');
  }
}

function rejection(reason: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `password ${reason}`);
}

/** The estimator with its list, loaded when a password is first set: it takes some megabytes. */
const loadEstimator = once(async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_ESTIMATED_LENGTH });
});
