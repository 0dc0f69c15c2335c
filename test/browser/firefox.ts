import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

import { type Browser, launch } from 'puppeteer-core';

/** The machine's Firefox. */
export interface Firefox {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the machine's Firefox, which is controlled by WebDriver BiDi, with a display, since it has WebGL only there: that of
 * `DISPLAY`, else an Xvfb of its own.
 *
 * @returns what the machine lacks where it has no Firefox with WebGL 2
 */
export async function openFirefox(): Promise<Firefox | string> {
  const executablePath = process.env.FIREFOX_PATH ?? programOf('firefox-esr') ?? programOf('firefox');
  if (!executablePath) return 'There is no Firefox: name one in FIREFOX_PATH, or `apt-get install firefox-esr`';
  const display = process.env.DISPLAY ? null : await openDisplay();
  if (typeof display === 'string') return display;
  const env = { ...process.env, ...(display ? { DISPLAY: display.name } : {}) };
  try {
    const browser = await launch({ browser: 'firefox', executablePath, headless: false, env });
    const page = await browser.newPage();
    const hasWebGl = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null);
    await page.close();
    const close = async (): Promise<void> => {
      await browser.close();
      display?.close();
    };
    if (hasWebGl) return { browser, close };
    await close();
    return 'This Firefox has no WebGL 2: `apt-get install libegl1 libgl1-mesa-dri`';
  } catch (error) {
    display?.close();
    throw error;
  }
}

/** A display without a screen. */
interface Display {
  readonly name: string;
  close(): void;
}

/** Starts an Xvfb, which chooses the number of its display and writes it when it is ready. */
async function openDisplay(): Promise<Display | string> {
  const program = programOf('Xvfb');
  if (!program) return 'There is no display for Firefox: set DISPLAY, or `apt-get install xvfb`';
  const size = ['-screen', '0', '1280x1024x24'];
  const server = spawn(program, ['-displayfd', '3', ...size], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  let written = '';
  for await (const chunk of server.stdio[3] as Readable) {
    written += chunk;
    if (written.endsWith('\n')) break;
  }
  if (written === '') return 'Xvfb does not start';
  return { name: `:${written.trim()}`, close: () => server.kill() };
}

/** Path of a program in `PATH`. */
function programOf(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(existsSync);
}
