import { Argument, type Command } from 'commander';

import { completionScript, type Shell, SHELLS } from '../shell/completion.ts';
import { OperatorCommand } from '../shell/operator-command.ts';

const MORE_HELP = `
To enable completion in this session:
  bash:  source <(waybridge completion bash)
  zsh:   source <(waybridge completion zsh), after compinit
  fish:  waybridge completion fish | source`;

/** `completion` */
export function addCompletionCommand(program: Command): void {
  const summary = 'Print a script that completes commands and options in a shell';
  const added = new OperatorCommand('completion').copyInheritedSettings(program).summary(summary).description(summary);
  program.addCommand(added);
  added
    .example('completion bash')
    .addArgument(new Argument('<shell>', 'shell that runs the script').choices(SHELLS))
    .addHelpText('after', MORE_HELP)
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
}
