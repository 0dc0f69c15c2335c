/** A position as a device sends it. */
export interface DrivenPoint {
  readonly point: { readonly lat: number; readonly lon: number };
  readonly timestamp: string;
  readonly speed: number;
  readonly heading: number;
  readonly events?: readonly string[];
}

/** A drive to the north-east, a position every ten seconds, from an engine start to an engine stop unless it goes on. */
export function drive(start: string, length: number, { ends = true } = {}): DrivenPoint[] {
  return Array.from({ length }, (_, at) => ({
    point: { lat: Number((53.08 + at * 0.0015).toFixed(6)), lon: Number((8.81 + at * 0.0012).toFixed(6)) },
    timestamp: new Date(Date.parse(start) + at * 10_000).toISOString(),
    speed: 25.5,
    heading: 40,
    ...(at === 0 && { events: ['engine_start'] }),
    ...(ends && at === length - 1 && { events: ['engine_stop'] }),
  }));
}

/** A message of a Traccar server about one position of a device. */
export function traccarMessage(uniqueId: string, fixTime: string): Readonly<Record<string, unknown>> {
  const position = { latitude: 53.1, longitude: 8.9, fixTime, valid: true, speed: 20, course: 90 };
  return { position: { ...position, attributes: { ignition: true } }, device: { uniqueId } };
}
