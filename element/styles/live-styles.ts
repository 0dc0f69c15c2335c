import { css } from 'lit';

/** Styles of vehicles that are followed, and of their panel. */
export const liveStyles = css`
  .live {
    position: absolute;
    z-index: 5;
    inset-block-start: 10px;
    inset-inline-start: 10px;
    display: grid;
    justify-items: start;
    gap: 8px;
    max-inline-size: calc(100% - 64px);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
    pointer-events: none;
  }
  .live > * {
    box-sizing: border-box;
    max-inline-size: 100%;
    margin: 0;
    border-radius: 999px;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    pointer-events: auto;
  }
  .live > p {
    display: flex;
    align-items: center;
    gap: 8px;
    padding-block: 6px;
    padding-inline: 11px 13px;
  }
  .live i {
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_muted);
  }
  .live .fresh i {
    background: var(--_live);
  }
  .live .unconnected i {
    background: none;
    box-shadow: inset 0 0 0 2px var(--_muted);
  }
  .live :is(.offline, .unconnected) {
    color: var(--_muted);
  }
  .live .follow {
    display: flex;
    align-items: center;
    gap: 7px;
    min-block-size: 32px;
    padding-block: 0;
    padding-inline: 10px 13px;
    color: var(--_accent);
  }
  .live :is(input, input ~ ul) {
    justify-self: stretch;
  }
  .live input {
    min-block-size: 36px;
    padding-inline: 13px;
    border: 0;
    color: inherit;
    font: inherit;
  }
  .live ul {
    --_row: calc(2.5em + 8px);
    display: grid;
    max-block-size: min(40cqb, 240px);
    /* Ends within a row, so that one sees that there are more. */
    max-block-size: calc(max(var(--_row), round(down, min(40cqb, 240px) - 5px - var(--_row) / 2, var(--_row))) + 5px + var(--_row) / 2);
    padding: 5px;
    overflow-y: auto;
    scrollbar-width: thin;
    border-radius: 12px;
    list-style: none;
  }
  .live li button {
    align-content: center;
    min-block-size: 40px;
    padding-block: 4px;
    padding-inline: 8px 12px;
    line-height: 1.3;
  }
  .live li :is(b, span) {
    grid-column: 2;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .live li span {
    color: var(--_muted);
    font-size: var(--_fine);
  }
  .live li span:empty {
    display: none;
  }
  .live li .swatch {
    grid-row: 1 / span 2;
  }
  .live li .swatch:has(~ span:empty) {
    grid-row: 1;
  }
  .live li button[aria-pressed='true'] {
    background: color-mix(in srgb, var(--_accent) 16%, transparent);
  }
  .live li :disabled {
    cursor: default;
    opacity: 0.6;
  }
  .live ~ .legend {
    inset-block: auto 38px;
  }

  .live-vehicle {
    z-index: 4;
    inline-size: 34px;
    block-size: 34px;
    pointer-events: none;
  }
  .live-vehicle svg {
    position: relative;
    display: block;
    filter: drop-shadow(0 1px 3px rgb(15 23 42 / 0.5));
  }
  .live-vehicle circle {
    fill: var(--live-color);
    stroke: #ffffff;
    stroke-width: 3;
  }
  .live-vehicle :is(.arrow, .core) {
    fill: #ffffff;
    stroke: none;
  }
  .live-vehicle .arrow {
    scale: 0.8;
    transform-origin: 50% 50%;
  }
  .live-vehicle:not(.headed) .arrow,
  .live-vehicle.headed .core {
    display: none;
  }
  .live-vehicle.stale {
    z-index: 3;
  }
  .live-vehicle.stale circle {
    fill: color-mix(in srgb, var(--live-color) 45%, #8a93a0);
  }
  .live-vehicle span {
    position: absolute;
    inset: 50% auto auto calc(100% + 2px);
    translate: 0 -50%;
    max-inline-size: 140px;
    padding: 2px 8px;
    overflow: hidden;
    border-radius: 999px;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
    font: 600 12px/1.4 var(--_font);
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
    white-space: nowrap;
  }
  .live-vehicle.left span {
    inset: 50% calc(100% + 2px) auto auto;
  }
  .live-vehicle.crowded:not(.chosen) span,
  .live-vehicle span:empty {
    display: none;
  }
  .live-vehicle:not(.stale)::before {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: 50%;
    background: var(--live-color);
    animation: live-pulse 2.4s ease-out infinite;
  }
  @keyframes live-pulse {
    from {
      opacity: 0.45;
      scale: 0.9;
    }
    70%,
    to {
      opacity: 0;
      scale: 2;
    }
  }
  @keyframes live-more {
    from,
    99% {
      mask-image: linear-gradient(90deg, #000 80%, transparent);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .live-vehicle::before {
      display: none;
    }
  }

  @media (pointer: coarse) {
    .live {
      max-inline-size: calc(100% - 84px);
    }
    .live :is(.follow, input, li button) {
      min-block-size: 44px;
    }
    .live ul {
      --_row: max(44px, 2.5em + 8px);
    }
  }

  /* On a narrow map the list is one row, so that it does not cover the vehicles. */
  @container (max-width: 560px) {
    .live ul {
      grid-auto-flow: column;
      grid-auto-columns: max-content;
      overflow: auto hidden;
    }
    /* The end fades as long as there is more to scroll to. */
    .live ul:dir(ltr) {
      animation: live-more linear;
      animation-timeline: scroll(self inline);
    }
    .live-vehicle:not(.chosen) span {
      display: none;
    }
  }
  /* Beside two columns of controls. */
  @container (max-width: 680px) and (max-height: 399px) {
    :is(.live, .legend) {
      max-inline-size: calc(100% - 144px);
    }
  }
  @container (max-height: 159px) {
    .live :is(ul, input, .follow) {
      display: none;
    }
  }
`;
