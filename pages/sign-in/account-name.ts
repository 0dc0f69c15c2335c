import { type Html, html } from '../../http/answers/html.ts';

/** Writes the name of an account within a sentence. */
export function accountName(nickname: string | null): Html {
  return html`<bdi class="name">${nickname ?? 'an account without a name'}</bdi>`;
}
