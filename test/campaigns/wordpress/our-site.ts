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

  private constructor(process: ServiceProcess, ca: string, folder: string, seedFile: string) {
    this.url = process.url;
    this.ca = ca;
    this.#process = process;
    this.#folder = folder;
    this.#seedFile = seedFile;
  }

  /** @param seedFile content to begin with, as `content export` writes it */
  static async start(seedFile: string): Promise<OurSite> {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-wordpress-'));
    const process = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' }, '--no-demo');
    globalThis.process.once('exit', () => process.child.kill('SIGKILL'));
    const site = new OurSite(process, await readFile(join(folder, 'tls/ca.pem'), 'utf8'), folder, seedFile);
    await site.reset();
    return site;
  }

  /** Puts the content back to that of the file. */
  async reset(): Promise<void> {
    const { code, stderr } = await runWaybridge(
      ['content', 'import', this.#seedFile, '--replace'],
      this.#process.settings,
    );
    if (code !== 0) throw new Error(`The content was not imported: ${stderr}`);
  }

  /** Ends the service and removes its data. */
  async end(): Promise<void> {
    await this.#process.end();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
