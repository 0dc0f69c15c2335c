import type { MapOptions, StyleSpecification } from 'mapbox-gl';

import type { MapSettings } from '../engine/map-settings.ts';
import { stringsFor } from '../trips/strings.ts';

/** Returns the options of a map that both engines have. */
export function sharedOptions(container: HTMLElement, { fallback, cooperative, locale }: MapSettings) {
  const manners = { trackResize: false, dragRotate: false, pitchWithRotate: false, cooperativeGestures: cooperative };
  return { container, ...fallback, ...manners, locale: textsIn(locale) } satisfies MapOptions;
}

/** Returns a style that is one color, and needs no network. */
export function plainStyle(ground: string): StyleSpecification {
  const layers = [{ id: 'ground', type: 'background' as const, paint: { 'background-color': ground } }];
  return { version: 8, sources: {}, layers };
}

/** The texts of the engines' controls, by the names that either engine has for them. */
function textsIn(locale: string): Record<string, string> {
  const strings = stringsFor(locale);
  const [byCtrl, byCommand] = ['Ctrl', '⌘'].map((key) => strings.zoomByKey.replace('{key}', key)) as [string, string];
  return {
    'Map.Title': strings.mapCanvas,
    'Marker.Title': strings.vehicles,
    'AttributionControl.ToggleAttribution': strings.attribution,
    'NavigationControl.ZoomIn': strings.zoomIn,
    'NavigationControl.ZoomOut': strings.zoomOut,
    'FullscreenControl.Enter': strings.enterFullscreen,
    'FullscreenControl.Exit': strings.exitFullscreen,
    'ScrollZoomBlocker.CtrlMessage': byCtrl,
    'ScrollZoomBlocker.CmdMessage': byCommand,
    'TouchPanBlocker.Message': strings.moveByFingers,
    'CooperativeGesturesHandler.WindowsHelpText': byCtrl,
    'CooperativeGesturesHandler.MacHelpText': byCommand,
    'CooperativeGesturesHandler.MobileHelpText': strings.moveByFingers,
  };
}
