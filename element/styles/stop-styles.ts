import { css } from 'lit';

/** Styles of the focus ring of starts, stops and ends, of their popup, and of the tooltip of a line. */
export const stopStyles = css`
  /* The map draws the stops: this is the focus ring of one of them, with the stop where the map has none. */
  button.stop {
    box-sizing: border-box;
    position: absolute;
    inset: -16px auto auto -16px;
    inline-size: 32px;
    block-size: 32px;
    z-index: 1;
    border-radius: 50%;
    pointer-events: none;
  }
  button.stop.end {
    inset: -44px auto auto -20px;
    inline-size: 40px;
    block-size: 48px;
    border-radius: 16px;
  }
  @container (max-width: 399px) {
    button.stop.end {
      inset: -34px auto auto -16px;
      inline-size: 32px;
      block-size: 38px;
    }
  }
  button.stop:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 1px;
    box-shadow: 0 0 0 6px var(--_surface);
  }
  button.stop:not(.end):focus-visible::before {
    content: '';
    position: absolute;
    inset: 9px;
    border: 3px solid var(--stop-color);
    border-radius: 50%;
    background: #fff;
  }

  .tooltip {
    position: absolute;
    inset: 0 auto auto 0;
    z-index: 2;
    inline-size: max-content;
    max-inline-size: 90%;
    padding: 3px 8px;
    border-radius: 6px;
    font-size: var(--_fine);
    font-variant-numeric: tabular-nums;
    unicode-bidi: plaintext;
    pointer-events: none;
  }

  .popup {
    box-sizing: border-box;
    inline-size: max-content;
    min-inline-size: min(200px, 100cqi - 20px);
    max-inline-size: min(max(280px, 17.5rem), 100cqi - 20px);
    padding: 12px 14px 14px;
    border-radius: 12px;
    color: var(--_text);
    font: var(--_small)/1.45 var(--_font);
  }
  /* An address that arrives moves nothing. */
  .popup:has(.address) {
    inline-size: min(max(280px, 17.5rem), 100cqi - 20px);
  }
  .popup:focus {
    outline: none;
  }
  .popup header {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: var(--_text-size);
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
    margin-block: -4px;
    margin-inline: auto -6px;
    border-radius: 8px;
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    .close {
      position: relative;
    }
    .close::after {
      content: '';
      position: absolute;
      inset: -9px;
    }
  }
  .close:hover {
    background: var(--_hairline);
    color: var(--_text);
  }
  .close:focus-visible {
    outline: 2px solid var(--_accent);
  }
  .address {
    display: grid;
    align-items: center;
    min-block-size: 2.9em;
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
  .popup a {
    display: inline-block;
    margin-block-start: 8px;
    color: var(--_accent);
    font-weight: 600;
    text-decoration: none;
  }
  .popup a:is(:hover, :focus-visible) {
    text-decoration: underline;
  }
  .popup dd {
    margin: 0;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
`;
