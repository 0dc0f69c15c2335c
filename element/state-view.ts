import { html, nothing, type TemplateResult } from 'lit';

import { isWorthRetry } from './trips/load-failure.ts';
import type { Strings } from './trips/strings.ts';

/** Overlay of the map; null if there is none. */
export type ViewState = 'loading' | 'empty' | 'error' | 'sign-in' | null;

/** Contents of an overlay. */
export interface StateView {
  readonly state: ViewState;
  /** An error, with what a developer can do about it. */
  readonly message: string;
  /** true if the message is shown, because developers see the page. */
  readonly isDebugged: boolean;
  /** false if signing in does not give the reader another token. */
  readonly signInHelps: boolean;
  /** false if trying again does not help either. */
  readonly retryHelps: boolean;
  /** Reason why there is no map, which takes precedence over every state. */
  readonly mapFailure: Error | null;
  readonly strings: Strings;
  retry(): void;
}

/** Returns the overlay that is shown. */
export function shownState({ state, mapFailure }: Pick<StateView, 'state' | 'mapFailure'>): ViewState {
  return mapFailure === null ? state : 'error';
}

/** Renders the overlay of a state: a slot of that name, with a default. */
export function stateView(view: StateView): TemplateResult | typeof nothing {
  const state = shownState(view);
  if (state === null) return nothing;
  return html`<div class="state ${state}" part="state state-${state}"><slot name=${state}>${looks[state](view)}</slot></div>`;
}

const looks: Record<NonNullable<ViewState>, (view: StateView) => TemplateResult> = {
  loading: ({ strings }) => html`<div class="pill"><span class="spinner"></span><bdi>${strings.loading}</bdi></div>`,
  empty: ({ strings }) => html`<div class="card">
    <svg viewBox="0 0 32 32" aria-hidden="true"><path d="M6 25c6 0 4-9 10-9s4-9 10-9" stroke-dasharray="1 5"/><circle cx="6" cy="25" r="3"/><circle cx="26" cy="7" r="3"/></svg>
    <b><bdi>${strings.empty}</bdi></b><p><bdi>${strings.emptyHint}</bdi></p></div>`,
  error: ({ strings, message, mapFailure, retryHelps, isDebugged, retry }) => {
    const canRetry = mapFailure === null ? retryHelps : isWorthRetry(mapFailure);
    const hint = canRetry ? strings.errorHint : strings.notHereHint;
    return html`<div class="card" role="alert">
    <svg viewBox="0 0 32 32" aria-hidden="true"><path d="M16 5 29 27H3Z"/><path d="M16 13v6m0 4v.1"/></svg>
    <b><bdi>${mapFailure ? strings.mapError : canRetry ? strings.error : strings.notHere}</bdi></b><p><bdi>${isDebugged ? (mapFailure?.message ?? message) : hint}</bdi></p>
    ${canRetry ? html`<button type="button" @click=${retry}>${strings.retry}</button>` : nothing}</div>`;
  },
  'sign-in': ({ strings, message, isDebugged, signInHelps }) => html`<div class="card" role="alert">
    <svg viewBox="0 0 32 32" aria-hidden="true"><rect x="7" y="14" width="18" height="13" rx="3"/><path d="M11 14v-3a5 5 0 0 1 10 0v3m-5 5v3"/></svg>
    <b><bdi>${signInHelps ? strings.signIn : strings.notHere}</bdi></b><p><bdi>${signInHelps ? strings.signInHint : strings.notHereHint}</bdi></p>
    ${isDebugged ? html`<p><bdi>${message}</bdi></p>` : nothing}</div>`,
};
