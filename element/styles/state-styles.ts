import { css } from 'lit';

/** Styles of the overlays, and of all parts in print, with forced colors and with reduced motion. */
export const stateStyles = css`
  .state {
    position: absolute;
    z-index: 10;
    inset: 0;
    display: grid;
    padding: 16px;
    place-items: center;
    pointer-events: none;
  }
  .state > * {
    pointer-events: auto;
  }
  /* An image has its attribution within its lowest pixels; the attribution of a map may be higher. */
  .state.notice {
    place-items: end center;
    padding-block-end: 32px;
  }
  .card {
    display: grid;
    justify-items: center;
    gap: 4px;
    max-inline-size: max(320px, 20rem);
    padding: 20px 24px;
    border-radius: 16px;
    text-align: center;
    text-wrap: balance;
  }
  .card svg {
    inline-size: 32px;
    margin-block-end: 6px;
    fill: none;
    stroke: var(--_accent);
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .error .card svg {
    stroke: var(--trips-map-error, #d9480f);
  }
  .card b {
    font-size: var(--_large);
  }
  .card p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .card button {
    margin-block-start: 12px;
    padding: 7px 16px;
    border-radius: 999px;
    background: var(--_accent);
    color: var(--_surface);
    font-weight: 600;
  }
  .card button:hover {
    filter: brightness(1.08);
  }
  .card button:focus-visible {
    outline: 2px solid var(--_text);
    outline-offset: 2px;
  }
  .pill {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 8px 16px;
    border-radius: 999px;
    font-size: var(--_small);
    font-weight: 500;
  }
  .spinner {
    inline-size: 14px;
    block-size: 14px;
    border: 2px solid var(--_hairline);
    border-block-start-color: var(--_accent);
    border-radius: 50%;
    animation: turn 0.9s 300ms steps(12) infinite;
  }
  /* A short load does not flicker. */
  .loading .pill {
    animation: appear 0s 300ms backwards;
  }
  @keyframes appear {
    from {
      visibility: hidden;
    }
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  /* Settings of the reader's system, for all parts; these styles come last. */
  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 4s;
    }
  }
  @media (forced-colors: active) {
    :is(.stop, .swatch, .vehicle, .live i) {
      forced-color-adjust: none;
    }
    :is(.card, .card button, .pill, .popup, .tooltip, .legend, .live > *, .live-vehicle span, li [aria-pressed='true']) {
      border: 1px solid CanvasText;
    }
  }
  @media print {
    :is(.replay, .live .follow) {
      display: none;
    }
    /* Nothing opens a sheet of paper. */
    @container (max-width: 680px) {
      .with-list {
        grid-template: 'stage' minmax(0, 1fr) 'list' auto / minmax(0, 1fr);
      }
      .list,
      .list.open {
        max-block-size: 60cqb;
        border-radius: 0;
        box-shadow: none;
      }
      .list:not(.open) .days {
        visibility: visible;
      }
      .list header > :not(button) {
        display: block;
      }
      .list .handle {
        display: none;
      }
    }
  }
`;
