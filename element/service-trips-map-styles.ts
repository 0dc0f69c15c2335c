import { css } from 'lit';

/** The look of the element; every colour and size that an embedder may set is a custom property of the host. */
export const serviceTripsMapStyles = css`
  :host {
    display: block;
    position: relative;
    box-sizing: border-box;
    block-size: 420px;
    overflow: hidden;
    border-radius: var(--trips-map-radius, 12px);
    contain: layout paint;
  }
  :host([hidden]) {
    display: none;
  }
  .root {
    --_surface: var(--trips-map-surface, #ffffff);
    --_text: var(--trips-map-text, #16202e);
    --_muted: var(--trips-map-muted, #5b6778);
    --_accent: var(--trips-map-accent, #2563eb);
    --_ground: var(--trips-map-ground, #e9eef3);
    --_line-color: var(--trips-map-line-color, #2563eb);
    --_line-width: var(--trips-map-line-width, 5);
    --_line-casing: var(--trips-map-line-casing, #ffffff);
    --_shadow: 0 1px 2px rgb(15 23 42 / 0.14), 0 8px 24px -6px rgb(15 23 42 / 0.24);
    --_hairline: rgb(15 23 42 / 0.1);
    color-scheme: light;
    position: absolute;
    inset: 0;
    background: var(--_ground);
    color: var(--_text);
    font: 14px/1.45 var(--trips-map-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  }
  .root[data-theme='dark'] {
    --_surface: var(--trips-map-surface, #1b2430);
    --_text: var(--trips-map-text, #f2f5f9);
    --_muted: var(--trips-map-muted, #a3b0c2);
    --_accent: var(--trips-map-accent, #7aa7ff);
    --_ground: var(--trips-map-ground, #10161f);
    --_line-color: var(--trips-map-line-color, #6ea0ff);
    --_line-casing: var(--trips-map-line-casing, #0b1018);
    --_shadow: 0 1px 2px rgb(0 0 0 / 0.5), 0 10px 28px -6px rgb(0 0 0 / 0.7);
    --_hairline: rgb(255 255 255 / 0.14);
    color-scheme: dark;
  }
  #map,
  #map > img {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
  }
  #map > img {
    object-fit: cover;
  }
  #map > img:not([src]) {
    visibility: hidden;
  }
  .mapboxgl-canvas:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: -3px;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* Markers */
  .stop {
    appearance: none;
    margin: 0;
    border: 0;
    background: none;
    box-sizing: border-box;
    inline-size: 28px;
    block-size: 28px;
    padding: 2px;
    cursor: pointer;
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
  .stop:hover svg,
  .stop:focus-visible svg {
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
  .ring {
    fill: #fff;
    stroke: var(--stop-color);
    stroke-width: 3.5;
  }
  .stop.stop .ring {
    stroke-width: 2;
  }
  .dot {
    fill: var(--stop-color);
  }
  .bars {
    stroke: var(--stop-color);
    stroke-width: 2;
    stroke-linecap: round;
  }
  .pin {
    fill: var(--stop-color);
    stroke: #fff;
    stroke-width: 2;
  }
  .flag {
    fill: #fff;
    stroke: #fff;
    stroke-width: 1.8;
    stroke-linejoin: round;
    stroke-linecap: round;
  }

  /* Popup */
  .mapboxgl-popup.stop-popup {
    z-index: 5;
  }
  .stop-popup .mapboxgl-popup-content {
    padding: 0;
    background: none;
    box-shadow: none;
    border-radius: 12px;
    font: inherit;
    pointer-events: auto;
  }
  .stop-popup .mapboxgl-popup-tip {
    border-top-color: transparent;
    border-bottom-color: transparent;
    border-left-color: transparent;
    border-right-color: transparent;
  }
  .stop-popup.mapboxgl-popup-anchor-bottom .mapboxgl-popup-tip,
  .stop-popup.mapboxgl-popup-anchor-bottom-left .mapboxgl-popup-tip,
  .stop-popup.mapboxgl-popup-anchor-bottom-right .mapboxgl-popup-tip {
    border-top-color: var(--_surface);
  }
  .stop-popup.mapboxgl-popup-anchor-top .mapboxgl-popup-tip,
  .stop-popup.mapboxgl-popup-anchor-top-left .mapboxgl-popup-tip,
  .stop-popup.mapboxgl-popup-anchor-top-right .mapboxgl-popup-tip {
    border-bottom-color: var(--_surface);
  }
  .stop-popup.mapboxgl-popup-anchor-left .mapboxgl-popup-tip {
    border-right-color: var(--_surface);
  }
  .stop-popup.mapboxgl-popup-anchor-right .mapboxgl-popup-tip {
    border-left-color: var(--_surface);
  }
  .popup {
    box-sizing: border-box;
    inline-size: max-content;
    min-inline-size: 200px;
    max-inline-size: min(280px, 80vw);
    padding: 12px 14px 14px;
    border-radius: 12px;
    background: var(--_surface);
    color: var(--_text);
    box-shadow: var(--_shadow);
    font: 13px/1.45 var(--trips-map-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  }
  .popup:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
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
    all: unset;
    display: grid;
    place-items: center;
    inline-size: 26px;
    block-size: 26px;
    margin: -4px -6px -4px auto;
    border-radius: 8px;
    color: var(--_muted);
    cursor: pointer;
  }
  .close:hover {
    background: var(--_hairline);
    color: var(--_text);
  }
  .close:focus-visible {
    outline: 2px solid var(--_accent);
  }
  .close svg {
    inline-size: 14px;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
  }
  .address {
    margin: 6px 0 0;
    font-weight: 600;
  }
  .address.pending,
  .address.missing {
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
  .popup dt {
    color: var(--_muted);
  }
  .popup dd {
    margin: 0;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  /* States */
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
  .state.loading,
  .state.empty,
  .state.notice {
    place-items: end center;
    padding-block-end: 32px;
  }
  .card {
    display: grid;
    justify-items: center;
    gap: 4px;
    max-inline-size: 320px;
    padding: 20px 24px;
    border-radius: 16px;
    background: var(--_surface);
    box-shadow: var(--_shadow);
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
    font-size: 15px;
  }
  .card p {
    margin: 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .card button {
    all: unset;
    margin-block-start: 12px;
    padding: 7px 16px;
    border-radius: 999px;
    background: var(--_accent);
    color: var(--_surface);
    font-weight: 600;
    cursor: pointer;
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
    background: var(--_surface);
    box-shadow: var(--_shadow);
    font-size: 13px;
    font-weight: 500;
  }
  .spinner {
    inline-size: 14px;
    block-size: 14px;
    border: 2px solid var(--_hairline);
    border-block-start-color: var(--_accent);
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  /* mapbox-gl's own controls in the element's colours */
  .mapboxgl-ctrl-group {
    border-radius: 10px;
    overflow: hidden;
    background: var(--_surface);
  }
  .mapboxgl-ctrl-group:not(:empty) {
    box-shadow: var(--_shadow);
  }
  .mapboxgl-ctrl-group button + button {
    border-block-start-color: var(--_hairline);
  }
  [data-theme='dark'] .mapboxgl-ctrl-group .mapboxgl-ctrl-icon {
    filter: invert(1);
  }
  .mapboxgl-ctrl-group button:focus-visible {
    box-shadow: inset 0 0 0 2px var(--_accent);
  }

  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 4s;
    }
    .stop svg {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .card,
    .pill,
    .popup {
      border: 1px solid CanvasText;
    }
    .stop {
      forced-color-adjust: none;
    }
  }
`;
