import { css } from 'lit';

/** Styles of the markers of starts, stops and ends, and of their popup. */
export const stopStyles = css`
  .stop {
    box-sizing: border-box;
    inline-size: 28px;
    block-size: 28px;
    padding: 2px;
    filter: drop-shadow(0 1px 2px rgb(15 23 42 / 0.45));
  }
  .stop.end {
    inline-size: 36px;
    block-size: 42px;
    padding: 0 2px 2px;
    z-index: 2;
  }
  .stop.start {
    z-index: 1;
  }
  .stop.faint {
    opacity: 0.3;
  }
  .stop svg {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    transition: scale 140ms ease-out;
    transform-origin: 50% 50%;
  }
  .stop.end svg {
    transform-origin: 50% 100%;
  }
  .stop:is(:hover, :focus-visible) svg {
    scale: 1.14;
  }
  .stop:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 1px;
    border-radius: 50%;
  }
  .stop.end:focus-visible {
    border-radius: 14px;
  }

  .popup {
    box-sizing: border-box;
    inline-size: max-content;
    min-inline-size: 200px;
    max-inline-size: min(280px, 80vw);
    padding: 12px 14px 14px;
    border-radius: 12px;
    color: var(--_text);
    font: 13px/1.45 var(--_font);
  }
  .popup:focus {
    outline: none;
  }
  .popup header {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: 14px;
  }
  .badge {
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    border: 3px solid var(--stop-color);
    border-radius: 50%;
  }
  .badge.end {
    background: var(--stop-color);
  }
  .close {
    display: grid;
    place-items: center;
    inline-size: 26px;
    block-size: 26px;
    margin: -4px -6px -4px auto;
    border-radius: 8px;
    color: var(--_muted);
  }
  .close:hover {
    background: var(--_hairline);
    color: var(--_text);
  }
  .close:focus-visible {
    outline: 2px solid var(--_accent);
  }
  .address {
    margin: 6px 0 0;
    font-weight: 600;
  }
  .address:is(.pending, .missing) {
    color: var(--_muted);
    font-weight: 400;
    font-style: italic;
  }
  .popup dl {
    margin: 8px 0 0;
    display: grid;
    gap: 2px;
  }
  .popup dl > div {
    display: flex;
    gap: 16px;
    justify-content: space-between;
  }
  .popup dd {
    margin: 0;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
`;
