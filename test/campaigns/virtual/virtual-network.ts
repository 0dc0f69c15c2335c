import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Duplex } from 'node:stream';

import type { Random } from '../../../server/demo/random.ts';

import { type Process, processes, type VirtualTime } from './virtual-time.ts';

const require = createRequire(import.meta.url);

/** Milliseconds that a message takes, unless a link is slow. */
const DELAY_MS = [0.05, 0.6] as const;
const SLOW_MS = [20, 400] as const;

/** The way from a process to the addresses that it connects to. */
export interface Link {
  /** False where connections are refused. */
  isUp: boolean;
  /** Until when nothing arrives, as `VirtualTime.now`; then all of it does. */
  heldUntil: number;
  slowUntil: number;
}

interface Listener {
  readonly of: Process;
  readonly accept: (socket: VirtualSocket) => void;
}

/**
 * The network of a simulation: connections that `net.createConnection` opens to names ending in `.virtual`. Each message takes
 * another time, in order on its connection and in any order among connections.
 */
export class VirtualNetwork {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #listeners = new Map<string, Listener>();
  readonly #links = new Map<Process, Link>();
  readonly #open = new Set<VirtualSocket>();
  /** Called before a process sends something on a connection that it has opened; false if that is lost. */
  onSend: (from: Process) => boolean = () => true;

  constructor(time: VirtualTime, random: Random) {
    this.#time = time;
    this.#random = random;
  }

  /** Replaces connections of this process; returns the function that restores them. */
  install(): () => void {
    const net = require('node:net') as { createConnection: (options: { readonly host?: string }) => unknown };
    const before = net.createConnection;
    net.createConnection = (options) =>
      options.host?.endsWith('.virtual') ? this.#connect(options.host) : before.call(net, options);
    syncBuiltinESMExports();
    return () => {
      net.createConnection = before;
      syncBuiltinESMExports();
    };
  }

  /** Accepts connections to a name, in the process that runs. */
  listen(host: string, accept: (socket: VirtualSocket) => void): void {
    const of = processes.getStore();
    if (of) this.#listeners.set(host, { of, accept });
  }

  /** The link of a process. */
  linkOf(process: Process): Link {
    const link = this.#links.get(process) ?? { isUp: true, heldUntil: 0, slowUntil: 0 };
    this.#links.set(process, link);
    return link;
  }

  /** Ends connections of a process: the others learn of it, unless it went silently. */
  drop(process: Process, isSilent: boolean): void {
    for (const socket of [...this.#open]) {
      const { peer } = socket;
      if ((socket.of !== process && peer?.of !== process) || socket.isSevered) continue;
      if (isSilent) socket.isSevered = true;
      else if (socket.of !== process || !process.isDead) this.#reset(socket);
    }
  }

  /** Time that something takes on a link, in milliseconds. */
  delay(link: Link): number {
    const [least, limit] = link.slowUntil > this.#time.now ? SLOW_MS : DELAY_MS;
    return Math.max(this.#random.between(least, limit), link.heldUntil - this.#time.now);
  }

  /** Sends something from a socket to the other. */
  send(from: VirtualSocket, arrive: (to: VirtualSocket) => void, kind: string): void {
    const { peer, link } = from;
    if (from.isOpener && !this.onSend(from.of)) return;
    if (!peer || from.isSevered || from.of.isDead) return;
    from.sentUntil = Math.max(this.#time.now + this.delay(link), from.sentUntil);
    const deliver = () => {
      if (!peer.destroyed && !from.isSevered) arrive(peer);
    };
    this.#time.after(from.sentUntil - this.#time.now, kind, () => processes.run(peer.of, deliver), peer.of);
  }

  /** Forgets a socket that has ended. */
  closed(socket: VirtualSocket): void {
    this.#open.delete(socket);
  }

  #reset(socket: VirtualSocket): void {
    const end = () => socket.destroy(networkError('ECONNRESET', 'read ECONNRESET'));
    this.#time.after(this.#random.between(...DELAY_MS), 'reset', () => processes.run(socket.of, end), socket.of);
  }

  #connect(host: string): VirtualSocket {
    const of = processes.getStore();
    if (!of) throw new TypeError('Only a simulated process opens connections');
    const link = this.linkOf(of);
    const socket = new VirtualSocket(this, of, link, true);
    const begin = () => {
      if (socket.destroyed) return;
      const listener = this.#listeners.get(host);
      if (!link.isUp || !listener || listener.of.isDead) {
        socket.destroy(networkError('ECONNREFUSED', `connect ECONNREFUSED ${host}`));
        return;
      }
      const other = new VirtualSocket(this, listener.of, link, false);
      [socket.peer, other.peer] = [other, socket];
      this.#open.add(socket).add(other);
      processes.run(listener.of, () => listener.accept(other));
      socket.emit('connect');
      socket.emit('ready');
    };
    this.#time.after(this.delay(link), 'connect', () => processes.run(of, begin), of);
    return socket;
  }
}

/** One end of a connection. */
export class VirtualSocket extends Duplex {
  readonly of: Process;
  readonly link: Link;
  /** True for the end that has opened the connection. */
  readonly isOpener: boolean;
  peer: VirtualSocket | undefined;
  /** True if nothing arrives any more in either direction, and nobody is told. */
  isSevered = false;
  /** When the last message sent arrives. */
  sentUntil = 0;
  readonly #network: VirtualNetwork;
  #idle: NodeJS.Timeout | undefined;

  constructor(network: VirtualNetwork, of: Process, link: Link, isOpener: boolean) {
    super({ allowHalfOpen: false });
    this.#network = network;
    this.of = of;
    this.link = link;
    this.isOpener = isOpener;
    // Without a listener an error would end this process; the driver listens only while it connects.
    this.on('error', () => undefined);
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  setTimeout(ms: number): this {
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.emit('timeout'), ms) : undefined;
    return this;
  }

  override _read(): void {
    // What arrives is pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const sent = Buffer.from(chunk);
    this.#network.send(this, (peer) => peer.push(sent), 'bytes');
    done();
  }

  override _final(done: () => void): void {
    this.#network.send(this, (peer) => peer.push(null), 'end');
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#network.closed(this);
    this.#network.send(this, (peer) => peer.destroy(), 'close');
    done(error);
  }
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, errno: -1, syscall: 'connect' });
}
