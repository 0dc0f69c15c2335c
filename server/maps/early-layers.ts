import type { Flavor } from '@protomaps/basemaps';

import type { MapLayer } from './map-layer.ts';

/** Widths of roads in pixels by zoom, from the widest: of the road, and of its edge on each side. */
const ROADS = [
  ['minor_road', { 12: 0, 13: 0.6, 16: 5, 18: 16 }],
  ['medium_road', { 11: 0, 12: 1, 16: 7, 18: 18 }],
  ['major_road', { 8: 0, 11: 1.2, 16: 9, 18: 20 }],
  ['highway', { 5: 0, 9: 1.5, 16: 10, 18: 22 }],
] as const;
const EDGE = 2;

/**
 * Layers of the first Protomaps scheme, whose properties begin with `pmap:`, in the colors of today's.
 *
 * @param source name of the source of the tiles
 */
export function earlyLayers(source: string, flavor: Flavor, language: string): MapLayer[] {
  const fill = (layer: string, color: string, kinds: readonly string[] | null = null, minzoom = 0) => ({
    ...{ id: `${layer}${kinds ? `-${kinds[0]}` : ''}`, type: 'fill', source, 'source-layer': layer, minzoom },
    filter: ['all', ['==', ['geometry-type'], 'Polygon'], ...(kinds ? [['in', KIND, ['literal', kinds]]] : [])],
    paint: { 'fill-color': color, ...(kinds ? { 'fill-opacity': 0.6 } : {}) },
  });
  const line = (layer: string, id: string, kinds: readonly string[] | null, paint: object, minzoom = 0) => ({
    ...{ id, type: 'line', source, 'source-layer': layer, minzoom },
    filter: kinds ? ['in', KIND, ['literal', kinds]] : ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { ...paint },
  });
  const road = ([kind, widths]: (typeof ROADS)[number], id: string, color: string, edge: number) =>
    line('roads', `roads-${kind}-${id}`, [kind], { 'line-color': color, 'line-width': widthBy(widths, edge) });
  const colors = {
    ...{ minor_road: flavor.minor_a, medium_road: flavor.major, major_road: flavor.major, highway: flavor.highway },
  };
  const edges = {
    ...{ minor_road: flavor.minor_casing, medium_road: flavor.major_casing_late },
    ...{ major_road: flavor.major_casing_late, highway: flavor.highway_casing_late },
  };
  const name = ['coalesce', ['get', `name:${language}`], ['get', 'name']];
  return [
    fill('earth', flavor.earth),
    fill('landuse', flavor.park_b, ['park', 'cemetery', 'farmland']),
    fill('landuse', flavor.hospital, ['hospital']),
    fill('landuse', flavor.school, ['school']),
    fill('landuse', flavor.industrial, ['industrial', 'railway']),
    fill('natural', flavor.wood_b, ['forest', 'wood', 'meadow', 'grass']),
    fill('natural', flavor.scrub_b, ['scrub']),
    fill('water', flavor.water),
    line('physical_line', 'waterway', ['waterway'], { 'line-color': flavor.water, 'line-width': 1.2 }, 12),
    {
      ...fill('buildings', flavor.buildings, null, 14),
      paint: { 'fill-color': flavor.buildings, 'fill-opacity': 0.5 },
    },
    line('transit', 'railway', ['railway'], { 'line-color': flavor.railway, 'line-width': 1.2 }, 12),
    line('roads', 'roads-other', ['path', 'other'], { 'line-color': flavor.other, 'line-width': 1 }, 15),
    ...ROADS.map((one) => road(one, 'edge', edges[one[0]], EDGE)),
    ...ROADS.map((one) => road(one, 'road', colors[one[0]], 0)),
    line('boundaries', 'boundaries', null, { 'line-color': flavor.boundaries, 'line-width': 0.8 }),
    {
      ...{ id: 'road-names', type: 'symbol', source, 'source-layer': 'roads', minzoom: 13 },
      layout: { 'symbol-placement': 'line', 'text-field': ['get', 'name'], 'text-size': 12 },
      paint: halo(flavor.roads_label_major, flavor.roads_label_major_halo),
    },
    {
      ...{ id: 'places', type: 'symbol', source, 'source-layer': 'places' },
      layout: { 'text-field': name, 'text-size': ['match', KIND, 'city', 17, 13], 'text-max-width': 8 },
      paint: halo(flavor.city_label, flavor.city_label_halo),
    },
  ] as MapLayer[];
}

const KIND = ['coalesce', ['get', 'pmap:kind'], ''];

function widthBy(widths: Readonly<Record<number, number>>, edge: number): readonly unknown[] {
  const stops = Object.entries(widths).flatMap(([zoom, width]) => [Number(zoom), width === 0 ? 0 : width + edge]);
  return ['interpolate', ['exponential', 1.6], ['zoom'], ...stops];
}

function halo(color: string, around: string): Readonly<Record<string, unknown>> {
  return { 'text-color': color, 'text-halo-color': around, 'text-halo-width': 1.5 };
}
