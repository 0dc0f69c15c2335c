import { css } from 'lit';

/** Styles of the panels: lists of trips and vehicles, legend of speeds, controls of a replay and its vehicle. */
export const panelStyles = css`
  .with-list {
    grid-template: 'list stage' minmax(0, 1fr) 'list replay' auto / clamp(200px, 30%, max(320px, 20rem)) minmax(0, 1fr);
  }
  .list {
    grid-area: list;
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    background: var(--_surface);
    border-inline-end: 1px solid var(--_hairline);
  }
  .list header {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 8px;
    padding: 12px 14px 8px;
  }
  .list header button {
    color: var(--_accent);
    font-size: var(--_small);
  }
  .list header span {
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .list .handle {
    display: none;
  }
  .days {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }
  .day {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    margin: 0;
    padding: 6px 14px 4px;
    background: var(--_surface);
    color: var(--_muted);
    font-size: var(--_fine);
    font-weight: 600;
  }
  .list ol {
    margin: 0;
    padding: 0 6px 6px;
    list-style: none;
  }
  .sources {
    margin: 0;
    padding: 0 14px 8px;
    color: var(--_muted);
    font-size: var(--_fine);
  }
  :is(.list, .live) li button {
    box-sizing: border-box;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: center;
    column-gap: 10px;
    inline-size: 100%;
    padding: 7px 8px;
    border-radius: 8px;
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  :is(.list li, .live li, .replay output) b {
    font-weight: 600;
  }
  .list li span {
    grid-column: 2;
  }
  :is(.list, .live) li button:is(.hovered, :hover) {
    background: var(--_hairline);
  }
  :is(.list, .live) li button:is(.hovered, :hover, [aria-pressed='true']) span {
    color: var(--_text);
  }
  .list li button[aria-pressed='true'] {
    background: color-mix(in srgb, var(--_accent) 16%, transparent);
    box-shadow: inset 3px 0 var(--_accent);
  }
  .list li .played b::before {
    display: inline-block;
    inline-size: 8px;
    block-size: 10px;
    margin-inline-end: 6px;
    background: currentColor;
    clip-path: polygon(0 0, 100% 50%, 0 100%);
    content: '';
    forced-color-adjust: none;
  }
  .list li .played:dir(rtl) b::before {
    scale: -1 1;
  }
  .list li [aria-pressed='true']:dir(rtl) {
    box-shadow: inset -3px 0 var(--_accent);
  }
  :is(.list, .live, .replay) :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  .legend {
    position: absolute;
    inset-block-start: 10px;
    inset-inline-start: 10px;
    margin: 0;
    padding: 8px 12px;
    border-radius: 10px;
    font-size: var(--_fine);
    font-variant-numeric: tabular-nums;
  }
  .legend figcaption {
    font-weight: 600;
  }
  .legend span {
    font-weight: 400;
  }
  .legend ul {
    display: grid;
    gap: 1px;
    margin: 4px 0 0;
    padding: 0;
    list-style: none;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .legend .swatch {
    inline-size: 16px;
    block-size: 8px;
  }

  .replay {
    grid-area: replay;
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 6px 10px;
    border-block-start: 1px solid var(--_hairline);
    background: var(--_surface);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .replay button {
    flex: none;
    display: grid;
    place-items: center;
    min-inline-size: 34px;
    block-size: 34px;
    border-radius: 999px;
  }
  .replay button:hover {
    background: var(--_hairline);
  }
  .replay :disabled {
    opacity: 0.4;
    cursor: default;
  }
  .replay [aria-pressed='true'] {
    color: var(--_accent);
  }
  .replay [aria-pressed='true'] circle {
    fill: currentColor;
  }
  .replay:dir(rtl) .round svg {
    scale: -1 1;
  }
  .replay .rate {
    min-inline-size: 40px;
    font-weight: 600;
  }
  .track {
    flex: 1;
    display: grid;
    min-inline-size: 60px;
  }
  .replay input {
    inline-size: 100%;
    block-size: 24px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .speeds {
    position: relative;
    /* As far as the middle of the slider's thumb goes. */
    margin-inline: 8px;
    block-size: 28px;
    cursor: crosshair;
    touch-action: pan-y;
  }
  .profile {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    fill: color-mix(in srgb, var(--_accent) 45%, transparent);
  }
  :dir(rtl) .profile {
    transform: scaleX(-1);
  }
  .profile line {
    stroke: var(--_text);
  }
  .replay output {
    display: grid;
    flex: none;
    min-inline-size: 8em;
    line-height: 1.25;
  }
  .replay output > * {
    min-block-size: 1.25em;
  }
  .vehicle {
    z-index: 3;
    inline-size: 30px;
    block-size: 30px;
    pointer-events: none;
    filter: drop-shadow(0 1px 3px rgb(15 23 42 / 0.5));
  }
  .vehicle.guessed {
    opacity: 0.55;
  }

  @container (max-width: 680px) {
    .with-list {
      grid-template: 'stage' minmax(60%, 1fr) 'replay' auto 'list' var(--_bar) / minmax(0, 1fr);
    }
    /* A sheet: its handle stands below the map, its rows open over it. */
    .list {
      z-index: 4;
      box-sizing: border-box;
      align-self: end;
      max-block-size: var(--_bar);
      border-inline-end: 0;
      border-block-start: 1px solid var(--_hairline);
      transition: max-block-size 0.2s;
    }
    .list.open {
      max-block-size: 75cqb;
      border-start-start-radius: 14px;
      border-start-end-radius: 14px;
      box-shadow: var(--_shadow);
    }
    .list:not(.open) .days {
      visibility: hidden;
    }
    .list header {
      flex: none;
      align-items: center;
      block-size: calc(var(--_bar) - 6px);
      padding-block: 6px 0;
    }
    .list header > :not(button) {
      display: none;
    }
    .list .handle {
      position: relative;
      flex: 1;
      display: flex;
      align-items: center;
      gap: 8px;
      min-inline-size: 0;
      block-size: 100%;
      margin-inline-start: -6px;
      padding-inline: 6px;
      color: inherit;
      white-space: nowrap;
      touch-action: none;
    }
    .list .handle::before {
      position: absolute;
      inset-block-start: -1px;
      inset-inline-start: calc(50cqi - 26px);
      inline-size: 32px;
      /* A border is seen with forced colors. */
      border: 2px solid var(--_muted);
      border-radius: 2px;
      opacity: 0.5;
      content: '';
    }
    /* All of the bar is pressed. */
    .list:not(.open) .handle::after {
      position: absolute;
      inset: -6px 0;
      content: '';
    }
    .handle > * {
      flex: none;
    }
    .handle span:last-child {
      flex: 0 1 auto;
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .legend {
      display: flex;
      flex-wrap: wrap;
      gap: 1px 10px;
      max-inline-size: calc(100% - 90px);
      padding: 5px 9px;
      font-size: max(11px, 0.6875rem);
    }
    .legend ul {
      display: contents;
    }
    .legend li {
      gap: 4px;
    }
    .legend .swatch {
      inline-size: 10px;
    }
    .replay {
      flex-wrap: wrap;
      gap: 2px 6px;
    }
    .track {
      order: -1;
      flex-basis: 100%;
    }
    .replay output {
      flex: 1;
    }
  }
  /* Fingers need room; what would need more than there is reaches over its neighbors. */
  @media (pointer: coarse) {
    .replay button {
      min-inline-size: 44px;
      block-size: 44px;
    }
    .replay input {
      block-size: 44px;
      margin-block: -10px;
    }
    .list header > button:last-child:not(.handle) {
      margin-block: -13px;
      padding-block: 13px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .list {
      transition: none;
    }
  }
  /* The map has priority: panels that leave it no room are hidden. */
  @container (max-height: 299px) {
    .speeds {
      display: none;
    }
  }
  @container (max-width: 680px) and (max-height: 479px) {
    .with-list .speeds {
      display: none;
    }
  }
  @container (max-width: 680px) and (max-height: 279px) {
    .list {
      display: none;
    }
    .with-list {
      grid-template: 'stage' minmax(0, 1fr) 'replay' auto / minmax(0, 1fr);
    }
  }
  @container (max-height: 159px) {
    :is(.list, .replay, .legend) {
      display: none;
    }
    .with-list {
      grid-template: 'stage' minmax(0, 1fr) / minmax(0, 1fr);
    }
  }
`;
