import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ReplayPlayer } from '../../../element/replay/replay-player.ts';

/** The frames that are awaited, by their number. */
const frames = new Map<number, FrameRequestCallback>();
let now = 0;

/** Lets so many milliseconds pass, and draws a frame. */
function frame(ms: number): void {
  now += ms;
  const due = [...frames.values()];
  frames.clear();
  for (const callback of due) callback(now);
}

let moved: ReturnType<typeof vi.fn<() => void>>;
let player: ReplayPlayer;
beforeEach(() => {
  frames.clear();
  let count = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    frames.set(++count, callback);
    return count;
  });
  vi.stubGlobal('cancelAnimationFrame', (number: number) => frames.delete(number));
  moved = vi.fn<() => void>();
  player = new ReplayPlayer(moved);
  player.load(100, 1);
});
afterEach(() => vi.unstubAllGlobals());

test('plays at its pace, or so many times faster', () => {
  player.play();
  frame(16);
  frame(100);
  expect(player.seconds).toBeCloseTo(0.1);
  player.setRate(20);
  frame(100);
  expect(player.seconds).toBeCloseTo(2.1);
  expect(frames.size).toBe(1);
  player.load(100, 10);
  player.setRate(2);
  player.play();
  frame(16);
  frame(100);
  expect(player.seconds).toBeCloseTo(2);
});

test('pauses, and awaits no frame then', () => {
  player.play();
  frame(16);
  player.pause();
  expect([player.playing, frames.size]).toEqual([false, 0]);
});

test('stops at its end, and begins anew from there', () => {
  player.seek(99.9);
  player.setRate(20);
  player.play();
  frame(16);
  frame(100);
  expect([player.seconds, player.playing, frames.size]).toEqual([100, false, 0]);
  player.play();
  expect([player.seconds, player.playing]).toEqual([0, true]);
});

test('stands still while it cannot be seen, and goes on from there', () => {
  player.play();
  frame(16);
  player.setVisible(false);
  expect([player.playing, frames.size]).toEqual([true, 0]);
  now += 60_000;
  player.setVisible(true);
  frame(16);
  frame(100);
  expect(player.seconds).toBeCloseTo(0.1);
});

test('a frame that was held up does not make it jump', () => {
  player.play();
  frame(16);
  frame(5000);
  expect(player.seconds).toBeCloseTo(0.25);
});

test('a moment outside of it is its begin or end, and nothing is played of nothing', () => {
  player.seek(-1);
  expect(player.seconds).toBe(0);
  player.seek(1000);
  expect(player.seconds).toBe(100);
  player.load(0, 1);
  player.play();
  expect([player.playing, frames.size]).toEqual([false, 0]);
});
