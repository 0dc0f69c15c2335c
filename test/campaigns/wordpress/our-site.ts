import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runWaybridge, type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';

/** The service on a data folder that goes with it, with the content of a file. */
export class OurSite {
  readonly url: string;
  /** Its certificate authority, as PEM. */
  readonly ca: string;
  readonly #process: ServiceProcess;
  readonly #folder: string;
  readonly #seedFile: string;
  #isNew = true;

  private constructor(process: ServiceProcess, ca: string, folder: string, seedFile: string) {
    this.url = process.url;
    this.ca = ca;
    this.#process = process;
    this.#folder = folder;
    this.#seedFile = seedFile;
  }

  /**
   * @param seedFile content to begin with, as `content export` writes it
   * @param isFresh true to add that to what a new service has, false to replace that
   */
  static async start(seedFile: string, isFresh = false): Promise<OurSite> {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-wordpress-'));
    const process = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' }, '--no-demo');
    globalThis.process.once('exit', () => process.child.kill('SIGKILL'));
    const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
    const site = new OurSite(process, ca, folder, isFresh ? join(folder, 'fresh.json') : seedFile);
    await site.#content('import', seedFile, ...(isFresh ? [] : ['--replace']));
    if (isFresh) await site.#content('export', site.#seedFile);
    return site;
  }

  /** Puts the content back to that of the start, unless it has just been started. */
  async reset(): Promise<void> {
    if (this.#isNew) this.#isNew = false;
    else await this.#content('import', this.#seedFile, '--replace');
  }

  async #content(...args: readonly string[]): Promise<void> {
    const { code, stderr } = await runWaybridge(['content', ...args], this.#process.settings);
    if (code !== 0) throw new Error(`content ${args.join(' ')}: ${stderr}`);
  }

  /** Ends the service and removes its data. */
  async end(): Promise<void> {
    await this.#process.end();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
