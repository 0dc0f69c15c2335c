import type { Cluster, Place } from './cluster.ts';

/** A kind of fault: it begins now, and ends by itself. */
type Fault = (cluster: Cluster, place: Place) => void;

const between = ({ dice }: Cluster, least: number, limit: number) => least + dice.below(limit - least);

/** Lets a server be without its database for a time. */
function without(cluster: Cluster, place: Place, ms: number): void {
  place.cannotWriteSince ??= cluster.time.now;
  cluster.trouble(place, ms);
  const { process } = place;
  cluster.time.after(ms, 'fault ends', () => {
    if (place.process === process) place.cannotWriteSince = undefined;
  });
}

/** Faults of any cluster. */
const EVERYWHERE: Readonly<Record<string, Fault>> = {
  'kill at a command': (cluster, place) =>
    cluster.killServerAfter(place, 1 + cluster.dice.below(80), between(cluster, 200, 9000), cluster.dice.chance(0.5)),
  kill: (cluster, place) => cluster.killServer(place, between(cluster, 200, 9000), false),
  stop: (cluster, place) => {
    const ms = between(cluster, 500, 20_000);
    cluster.trouble(place, ms);
    place.process.stopsUntil = cluster.time.now + ms;
  },
  'slow way': (cluster, place) => {
    const ms = between(cluster, 1000, 15_000);
    cluster.trouble(place, ms);
    cluster.network.linkOf(place.process).slowUntil = cluster.time.now + ms;
  },
  disk: (cluster) => {
    const ms = between(cluster, 500, 10_000);
    for (const place of cluster.places) cluster.trouble(place, ms);
    const how = cluster.dice.pick(['full', 'broken'] as const);
    cluster.disk = { until: cluster.time.now + ms, how, share: cluster.dice.pick([0.05, 0.3, 1]) };
    if (cluster.disk.share === 1) for (const place of cluster.places) without(cluster, place, ms);
  },
  // No fault, but far more often than each hour.
  purge: (cluster, place) => cluster.purge(place),
  'clock set': (cluster, place) => {
    // Servers on one machine have one clock. One that is behind rejects positions of its future.
    const hours = cluster.dice.pick([0, 0, 1, 1, 24]);
    for (const { process } of cluster.isShared ? [] : cluster.places) process.clockAhead = hours * 3_600_000;
    if (cluster.isShared) place.process.clockAhead = between(cluster, -4000, 4000);
  },
};

/** Faults of the way to a database on another machine. */
const OF_THE_NETWORK: Readonly<Record<string, Fault>> = {
  'kill without a word': (cluster, place) => cluster.killServer(place, between(cluster, 200, 9000), true),
  'kill of the database': (cluster) => {
    const ms = between(cluster, 200, 6000);
    for (const place of cluster.places) cluster.trouble(place, ms);
    cluster.killEngine(ms);
  },
  cut: (cluster, place) => {
    const ms = between(cluster, 500, 10_000);
    const link = cluster.network.linkOf(place.process);
    link.isUp = false;
    cluster.network.drop(place.process, false);
    without(cluster, place, ms);
    cluster.time.after(ms, 'cut ends', () => {
      link.isUp = true;
    });
  },
  hold: (cluster, place) => {
    const ms = between(cluster, 500, 25_000);
    cluster.network.linkOf(place.process).heldUntil = cluster.time.now + ms;
    without(cluster, place, ms);
  },
  'half-open': (cluster, place) => {
    cluster.trouble(place, 10_000);
    cluster.network.drop(place.process, true);
  },
};

/** Lets faults befall a cluster until a time, as `VirtualTime.now`. */
export async function befall(cluster: Cluster, until: number): Promise<void> {
  const kinds = Object.entries({ ...EVERYWHERE, ...(cluster.isShared && OF_THE_NETWORK) }).map(
    (kind) => [kind[0] === 'kill at a command' ? 4 : 1, kind] as const,
  );
  while (cluster.time.now < until) {
    await cluster.time.pause(between(cluster, 200, 8000));
    const running = cluster.running;
    if (running.length === 0) continue;
    const [name, begin] = cluster.dice.weighted(kinds);
    const place = cluster.dice.pick(running);
    cluster.count(`fault: ${name}`);
    cluster.time.note(`fault ${name} ${place.name}`);
    begin(cluster, place);
  }
}
