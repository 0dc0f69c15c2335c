/** A record of a FIT file, each value as it is stored; omitted ones are stored as none. */
export interface FitRecord {
  /** Seconds since 1989-12-31T00:00:00Z. */
  readonly timestamp: number;
  readonly lat?: number;
  readonly lon?: number;
  /** Meters per second. */
  readonly speed?: number;
}

const SEMICIRCLES = 2 ** 31 / 180;
const CRC = [0, 0xcc01, 0xd801, 0x1400, 0xf001, 0x3c00, 0x2800, 0xe401, 0xa001, 0x6c00, 0x7800, 0xb401, 0x5000];
CRC.push(0x9c01, 0x8801, 0x4400);

/** Adds bytes to the checksum of FIT. Source: "FIT Protocol", CRC. */
function crcOf(bytes: Buffer): number {
  return bytes.reduce((crc, byte) => {
    const low = ((crc >> 4) & 0x0fff) ^ (CRC[crc & 15] ?? 0) ^ (CRC[byte & 15] ?? 0);
    return ((low >> 4) & 0x0fff) ^ (CRC[low & 15] ?? 0) ^ (CRC[byte >> 4] ?? 0);
  }, 0);
}

function unsigned(value: number, bytes: 2 | 4): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
}

/** Writes a FIT file: a file_id, then records of time, position and speed; the last ones with a compressed time, as devices do. */
export function fitFile(records: readonly FitRecord[], compressed: readonly FitRecord[] = []): Buffer {
  const fields = [
    [0, 4, 0x85],
    [1, 4, 0x85],
    [6, 2, 0x84],
  ].flat();
  const definition = (local: number, message: number, described: readonly number[]) =>
    Buffer.from([0x40 | local, 0, 0, message, 0, described.length / 3, ...described]);
  const motion = ({ lat, lon, speed }: FitRecord) => {
    const place = Buffer.alloc(8);
    place.writeInt32LE(lat === undefined ? 0x7fffffff : Math.round(lat * SEMICIRCLES), 0);
    place.writeInt32LE(lon === undefined ? 0x7fffffff : Math.round(lon * SEMICIRCLES), 4);
    return Buffer.concat([place, unsigned(speed === undefined ? 0xffff : Math.round(speed * 1000), 2)]);
  };
  const data = Buffer.concat([
    definition(0, 0, [0, 1, 0x00]),
    Buffer.from([0, 4]),
    definition(1, 20, [253, 4, 0x86, ...fields]),
    ...records.map((record) => Buffer.concat([Buffer.from([1]), unsigned(record.timestamp, 4), motion(record)])),
    definition(2, 20, fields),
    ...compressed.map((record) =>
      Buffer.concat([Buffer.from([0x80 | (2 << 5) | (record.timestamp & 31)]), motion(record)]),
    ),
  ]);
  const header = Buffer.concat([Buffer.from([14, 0x20, 0x54, 0x08]), unsigned(data.length, 4), Buffer.from('.FIT')]);
  const body = Buffer.concat([header, unsigned(crcOf(header), 2), data]);
  return Buffer.concat([body, unsigned(crcOf(body), 2)]);
}
