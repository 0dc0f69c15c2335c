import type { Browser } from 'playwright-core';

/** Time between frames, in milliseconds. */
const FRAME_MS = 100;

/** Lets scripts in all pages of a browser draw ten frames a second: one of a map takes 10 to 20 ms without a graphics card. */
export function drawRarely(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript(putOffFrames, FRAME_MS);
    return context;
  };
  return browser;
}

/** Puts off the frames of a page to the next multiple of a time, for all its scripts alike. */
function putOffFrames(step: number): void {
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel, setTimeout, clearTimeout } = globalThis;
  const now = performance.now.bind(performance);
  const frames = new Map<number, number>();
  globalThis.requestAnimationFrame = (run) => {
    const draw = () => {
      const frame = request((time) => {
        frames.delete(id);
        run(time);
      });
      frames.set(id, frame);
    };
    const id = Number(setTimeout(draw, step - (now() % step)));
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    clearTimeout(id);
    cancel(frames.get(id) ?? 0);
    frames.delete(id);
  };
}
