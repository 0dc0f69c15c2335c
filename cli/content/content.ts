import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';

import type { Command } from 'commander';

import type { ContentSource } from '../../content/transfer/read-lists.ts';
import type { Config } from '../../server/configuration/config.ts';

import { type Answer, type CommonOptions, printAnswer } from '../shell/answer.ts';
import { CommandError, UsageError } from '../shell/command-error.ts';
import { addContentUserCommands } from './content-users.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { command, type Flags, type Texts } from '../shell/operator-command.ts';
import { tableOf } from '../shell/resource.ts';
import { secretFromStdin } from '../shell/secret-stdin.ts';
import { withDatabase } from '../shell/with-database.ts';
import type { Service } from '../../models/store/service.ts';

type ImportOptions = Texts<never, 'username'> & Flags<'replace' | 'applicationPasswordStdin'>;

/** `content import`, `content export`, `content events`, `content front-page`, and the commands of the website's users */
export function addContentCommands(program: Command): void {
  const group = program.command('content').description('Content of the developer website, and its users');
  addContentUserCommands(group);

  command(group, 'events', 'Show how often each post and page was opened and led to a conversion')
    .example('content events --json')
    .answers(async (_options, { service }) => {
      const { eventCounts } = await import('../../content/models/event-count.ts');
      const events = await eventCounts(service);
      return { title: 'No results', json: { events }, table: tableOf(events, ['item_id', 'event', 'count']) };
    });

  command(group, 'front-page', 'Show a published page as the front page of the website')
    .example('content front-page 10')
    .argument('<page_id>', 'id of the page; 0 for the front page of the service')
    .answers(async (_options, { service }, page) => {
      const { setFrontPage } = await import('../../content/settings/front-page.ts');
      const id = /^\d{1,15}$/.test(page) ? Number(page) : Number.NaN;
      await setFrontPage(service, id);
      return { title: 'Front page changed', json: { page_on_front: id } };
    });

  command(group, 'import', 'Import content and keep its ids; repeating an import changes nothing')
    .example('content import content.json --replace')
    .argument(
      '<source>',
      'file written by content export, exchange file of WordPress (.xml), or address of a WordPress site, ending in /wp-json',
    )
    .option('--replace', 'remove all content and all website users first')
    .option('--username <name>', 'administrator of that site, to read unpublished content as well')
    .option('--application-password-stdin', "read the administrator's application password from standard input")
    .prints(async (options: ImportOptions, source) => {
      keepHeapsSmall();
      return withDatabase(({ config, service }) => importFrom(service, source, options, config), true);
    });

  command(group, 'export', 'Write all content, users and uploads to a file; it contains password hashes, so protect it')
    .example('content export content.json')
    .argument('[file]', 'file to write, which must not exist yet (default: standard output)')
    .option('--wxr', 'write the exchange file of WordPress: content without files, passwords, revisions and settings')
    .action(async (file: string | undefined, options: CommonOptions & Flags<'wxr'>) => {
      keepHeapsSmall();
      await withDatabase(({ config, service }) => exportTo(service, file, config, options.wxr === true));
      if (file !== undefined) printAnswer({ title: 'Content exported', json: { file } }, options);
    });
}

/**
 * Makes V8 collect garbage sooner, for a fifth more CPU. It has to come before the thread of the embedded database starts, to
 * which it then applies, too.
 */
function keepHeapsSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

async function importFrom(service: Service, source: string, options: ImportOptions, config: Config): Promise<Answer> {
  if (!/^https?:/i.test(source)) return importMembers(service, source, await readFrom(source), options, config);
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-content-'));
  try {
    const members = await keepLive(source, options, join(folder, 'members.jsonl'));
    return await importMembers(service, source, members, options, config);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importMembers(
  service: Service,
  source: string,
  content: ContentSource,
  options: ImportOptions,
  config: Config,
): Promise<Answer> {
  const { importContent } = await import('../../content/transfer/import-content.ts');
  const { FileFault } = await import('../../content/transfer/json-members.ts');
  const bar = new ProgressBar(process.stderr);
  const settings = { replace: options.replace === true, siteUrl: siteOf(config) };
  try {
    const counts = await importContent(service, content, settings, (done, all) =>
      bar.draw(all === 0 ? 1 : done / all, `${done} of ${all} records`),
    );
    return { title: 'Content imported', json: counts };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new CommandError(`${source}${error.message}; give a file that content export wrote`, { cause: error });
  } finally {
    bar.clear();
  }
}

/** Reads a live site into a file, of which the members are returned. */
async function keepLive(
  api: string,
  { username, applicationPasswordStdin }: ImportOptions,
  file: string,
): Promise<ContentSource> {
  if ((username === undefined) !== (applicationPasswordStdin === undefined)) {
    throw new UsageError('Give --username and --application-password-stdin together');
  }
  const reader =
    username === undefined
      ? null
      : { username, applicationPassword: await secretFromStdin('--application-password-stdin') };
  const { readSite } = await import('../../content/transfer/read-site.ts');
  const { keepMembers } = await import('../../content/transfer/kept-members.ts');
  return keepMembers(readSite(api, reader, fetch), file);
}

/** The members of a file, which is read as often as they are asked for. */
async function readFrom(file: string): Promise<ContentSource> {
  const { LONG_LISTS } = await import('../../content/transfer/content-document.ts');
  const { jsonMembers } = await import('../../content/transfer/json-members.ts');
  try {
    await access(file, constants.R_OK);
  } catch (error) {
    throw new CommandError(`${file} cannot be read; give the path of an existing file`, { cause: error });
  }
  if (!/\.xml$/i.test(file)) return () => jsonMembers(createReadStream(file), LONG_LISTS);
  const { wxrMembers } = await import('../../content/transfer/wxr-members.ts');
  return () => wxrMembers(createReadStream(file));
}

/** Writes an export that only the operator may read, into a new file or to standard output. */
async function exportTo(service: Service, file: string | undefined, config: Config, isWxr: boolean): Promise<void> {
  const { exportContent } = await import('../../content/transfer/export-content.ts');
  const { exportWxr } = await import('../../content/transfer/export-wxr.ts');
  const pieces = (isWxr ? exportWxr : exportContent)(service, siteOf(config));
  if (file === undefined) return pipeline(pieces, process.stdout, { end: false });
  try {
    await pipeline(pieces, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CommandError(`${file} already exists; give the path of a new file`, { cause: error });
  }
}

/** The website's address as stored in content: without a trailing slash. */
function siteOf({ siteUrl }: Config): string {
  return siteUrl.replace(/\/$/, '');
}
