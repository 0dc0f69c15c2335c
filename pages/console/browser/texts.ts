import type { Texts } from '../texts/en.ts';

/** Language of the page, which the server has chosen. */
export const language = document.documentElement.lang === 'de' ? 'de' : 'en';

/** Texts of the page. */
export const t: Texts = language === 'de' ? (await import('../texts/de.ts')).de : (await import('../texts/en.ts')).en;
