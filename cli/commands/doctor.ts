import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import { ConfigError } from '../../schema/config-error.ts';
import { type Finding, problem } from '../doctor/finding.ts';
import { packageVersion } from '../../http/package-file.ts';

import { command } from '../shell/operator-command.ts';

/** Exit code if there is a problem. */
const PROBLEM = 3;

/** `doctor`: looks at the installation, and says what to do. */
export function addDoctorCommand(program: Command): void {
  command(program, 'doctor', 'Check settings, certificate, disk, backups and database, and suggest what to do')
    .example('doctor --json')
    .addHelpText('after', '\nExit codes: 0 if there are no problems, 1 if it cannot check, 3 if there are problems.')
    .prints(async () => {
      const findings = await findingsOf();
      const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
      const [problems, warnings] = [count('problem'), count('warning')];
      if (problems > 0) process.exitCode = PROBLEM;
      return {
        title: `Waybridge ${packageVersion()}, Node.js ${process.version}: problems ${problems}, warnings ${warnings}`,
        json: { version: packageVersion(), node: process.version, problems, warnings, findings },
        lines: findings.flatMap(linesOf),
      };
    });
}

async function findingsOf(): Promise<readonly Finding[]> {
  const settings = readSettings();
  if ('check' in settings) return [settings];
  const now = Date.now();
  const { settingFindings } = await import('../doctor/setting-findings.ts');
  const { certificateFindings } = await import('../doctor/certificate-findings.ts');
  const { backupFindings, descriptorFindings, diskFindings } = await import('../doctor/disk-findings.ts');
  const { databaseFindings } = await import('../doctor/database-findings.ts');
  const certificate = certificateFindings(settings, now).catch((error: unknown) => [settingProblem(error)]);
  return [
    ...settingFindings(settings),
    ...(await certificate),
    ...(await diskFindings(settings)),
    ...(await backupFindings(settings, now)),
    ...(await descriptorFindings()),
    ...(await databaseFindings(settings)),
  ];
}

function readSettings() {
  try {
    return readConfig(process.env);
  } catch (error) {
    return settingProblem(error);
  }
}

/** @throws any error that is not a fault of the settings */
function settingProblem(error: unknown): Finding {
  if (!(error instanceof ConfigError)) throw error;
  return problem('settings', error.message, 'Correct it; "waybridge config" prints where each setting comes from.');
}

function linesOf({ check, state, detail, advice }: Finding): string[] {
  return [`  ${state.padEnd(7)}  ${check}: ${detail}`, ...(advice === null ? [] : [`           ${advice}`])];
}
