import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A browser to start, and the environment it needs. */
export interface Chromium {
  readonly path: string;
  readonly env: Record<string, string>;
}

/** Unpacks in a process of its own, because the package reads where to, and whether its libraries are wanted, from the environment. */
const UNPACK = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";

/**
 * The Chromium of `@sparticuz/chromium`, unpacked once a version into `$BROWSER_DIR` or the folder for temporary files,
 * with the libraries (NSS, expat) and the font that a bare Debian lacks.
 *
 * @returns null where the package is not installed
 */
export async function packagedChromium(): Promise<Chromium | null> {
  const version = installedVersion();
  if (version === null) return null;
  const home = join(process.env.BROWSER_DIR ?? tmpdir(), `waybridge-chromium-${version}-${userInfo().uid}`);
  if (!existsSync(home)) await unpack(home);
  return {
    path: join(home, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
    },
  };
}

function installedVersion(): string | null {
  const folders = createRequire(import.meta.url).resolve.paths('@sparticuz/chromium') ?? [];
  const manifest = folders.map((folder) => join(folder, '@sparticuz/chromium/package.json')).find(existsSync);
  if (manifest === undefined) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Unpacks beside the final place and renames, so that test files that start together never see half a browser. */
async function unpack(home: string): Promise<void> {
  const staging = await mkdtemp(`${home}-`);
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    });
    await writeFile(
      join(staging, 'fonts.conf'),
      `<?xml version="1.0"?><fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'font-cache')}</cachedir></fontconfig>`,
    );
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}
