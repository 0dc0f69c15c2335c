import { css } from 'lit';

/** Styles of the element in both themes and of mapbox-gl's controls; embedders set the custom properties without underscore. */
export const mapStyles = css`
  :host {
    display: block;
    position: relative;
    box-sizing: border-box;
    block-size: 420px;
    overflow: hidden;
    border-radius: var(--trips-map-radius, 12px);
    contain: layout paint;
    container-type: size;
  }
  :host(:fullscreen) {
    border-radius: 0;
  }
  :host([hidden]) {
    display: none;
  }
  .root {
    --_surface: var(--trips-map-surface, #ffffff);
    --_text: var(--trips-map-text, #16202e);
    --_muted: var(--trips-map-muted, #5b6778);
    --_accent: var(--trips-map-accent, #2563eb);
    --_live: #15803d;
    --_ground: var(--trips-map-ground, #e9eef3);
    --_line-color: var(--trips-map-line-color, #2563eb);
    --_line-width: var(--trips-map-line-width, 5);
    --_line-casing: var(--trips-map-line-casing, #ffffff);
    --_font: var(--trips-map-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
    --_shadow: 0 1px 2px rgb(15 23 42 / 0.14), 0 8px 24px -6px rgb(15 23 42 / 0.24);
    --_hairline: rgb(15 23 42 / 0.1);
    /* Sizes of text grow with the reader's, and do not shrink with the page's. */
    --_large: max(15px, 0.9375rem);
    --_text-size: max(14px, 0.875rem);
    --_small: max(13px, 0.8125rem);
    --_fine: max(12px, 0.75rem);
    --_bar: max(44px, 2.75rem);
    color-scheme: light;
    position: absolute;
    inset: 0;
    display: grid;
    grid-template: 'stage' minmax(0, 1fr) 'replay' auto / minmax(0, 1fr);
    background: var(--_ground);
    color: var(--_text);
    font: var(--_text-size)/1.45 var(--_font);
  }
  .stage {
    grid-area: stage;
    position: relative;
    overflow: hidden;
  }
  /* Paper is light. */
  @media not print {
    .root[data-theme='dark'] {
      --_surface: var(--trips-map-surface, #253141);
      --_text: var(--trips-map-text, #f2f5f9);
      --_muted: var(--trips-map-muted, #a3b0c2);
      --_accent: var(--trips-map-accent, #7aa7ff);
      --_live: #4ade80;
      --_ground: var(--trips-map-ground, #10161f);
      --_line-color: var(--trips-map-line-color, #6ea0ff);
      --_line-casing: var(--trips-map-line-casing, #0b1018);
      --_shadow: 0 1px 2px rgb(0 0 0 / 0.5), 0 10px 28px -6px rgb(0 0 0 / 0.7);
      --_hairline: rgb(255 255 255 / 0.14);
      color-scheme: dark;
    }
  }
  #map,
  #map > img,
  .snapshot,
  .snapshot > * {
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
  #map > .preview {
    z-index: 1;
    pointer-events: none;
  }
  /* The map, which may be moved, is not seen yet. */
  #map:has(> .preview) .live-vehicle {
    visibility: hidden;
  }
  /* Behind a card of an error is the region where the trips were, not the whole default map. */
  .veiled #map > :is([class*='-canvas-container'], .preview) {
    filter: blur(6px);
  }
  .veiled [class*='-ctrl-group'] {
    display: none;
  }
  .unplaced #map {
    opacity: 0;
  }
  .snapshot {
    z-index: 4;
  }
  .snapshot.resuming {
    pointer-events: none;
  }

  button {
    all: unset;
    cursor: pointer;
  }
  :is(.legend, .card, .pill, .popup, .tooltip) {
    background: var(--_surface);
    box-shadow: var(--_shadow);
  }
  :is(.card p, .popup dt, .legend span, .replay output span, .list li span) {
    color: var(--_muted);
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
`;
