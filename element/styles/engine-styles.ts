import { type CSSResult, css, unsafeCSS } from 'lit';

/** Gives the engine's own controls and popups, whose classes begin with `prefix`, the colors of the element. */
export function engineStyles(prefix: string): CSSResult {
  const own = unsafeCSS(`.${prefix}`);
  return css`
    :is(${own}-canvas, .snapshot > button):focus-visible {
      outline: 3px solid var(--_accent);
      outline-offset: -3px;
    }
    ${own}-ctrl-group {
      border-radius: 10px;
      overflow: hidden;
      background: var(--_surface);
    }
    /* In as many columns as a low map needs, and free of the attribution. */
    :is(${own}-ctrl-top-right, ${own}-ctrl-top-left) {
      inset-block-end: 34px;
      display: flex;
      flex-flow: column wrap-reverse;
      align-content: flex-start;
    }
    ${own}-ctrl-group .fit {
      display: grid;
      place-items: center;
      fill: none;
      stroke: var(--_text);
      stroke-width: 2;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    ${own}-ctrl-group:not(:empty) {
      box-shadow: var(--_shadow);
    }
    ${own}-ctrl-group button + button {
      border-block-start-color: var(--_hairline);
    }
    [data-theme='dark'] :is(${own}-ctrl-group ${own}-ctrl-icon, ${own}-ctrl-attrib-button) {
      filter: invert(1);
    }
    ${own}-ctrl-group button:focus:focus-visible {
      border-radius: 10px;
      box-shadow: none;
      outline: 3px solid var(--_accent);
      outline-offset: -3px;
    }
    /* Links stand in text of their color. */
    ${own}-ctrl${own}-ctrl-attrib a {
      text-decoration: underline;
    }
    [data-theme='dark'] ${own}-ctrl-attrib {
      background-color: rgb(16 22 31 / 0.6);
    }
    [data-theme='dark'] :is(${own}-ctrl-attrib, ${own}-ctrl-attrib a) {
      color: var(--_muted);
    }

    ${own}-cooperative-gesture-screen {
      background: rgb(0 0 0 / 0.7);
    }

    /* Marks stay below the controls of the map. */
    ${own}-canvas-container {
      isolation: isolate;
    }
    ${own}-popup.stop-popup {
      z-index: 5;
    }
    .stop-popup ${own}-popup-content {
      padding: 0;
      background: none;
      box-shadow: none;
    }
    .stop-popup ${own}-popup-tip {
      border-top-color: var(--_surface);
    }

    @media (pointer: coarse) {
      ${own}-ctrl-group button {
        inline-size: 44px;
        block-size: 44px;
      }
    }
    @media (forced-colors: active) {
      /* MapLibre GL then has its own icons, and the browser shows the transparent sides of a tip. */
      [data-theme] .maplibregl-ctrl-group .maplibregl-ctrl-icon {
        filter: none;
      }
      ${own}-ctrl-group {
        border: 1px solid CanvasText;
      }
      ${own}-popup-tip {
        display: none;
      }
    }
    @media print {
      :is(${own}-ctrl-top-right, ${own}-ctrl-top-left, ${own}-ctrl-attrib-button) {
        display: none;
      }
      [data-theme] ${own}-ctrl-attrib {
        background-color: #ffffff;
      }
      [data-theme='dark'] :is(${own}-canvas, .swatch, .vehicle, .live-vehicle svg, #map > img, .snapshot > :first-child) {
        filter: invert(1) hue-rotate(180deg);
      }
    }
  `;
}
