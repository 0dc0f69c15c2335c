import type { Command, Option } from 'commander';

/** Shells for which there is a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell with completion. */
export type Shell = (typeof SHELLS)[number];

/** Words that can follow at a place of the command line. */
interface Place {
  /** Names of the commands so far, each after a blank, and perhaps an option whose value follows: ` tag list --type`. */
  readonly path: string;
  readonly words: readonly Word[];
  /** True if the name of a file can follow. */
  readonly takesFile: boolean;
}

interface Word {
  readonly word: string;
  readonly description: string;
}

/** The script that completes the calls of a program in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const name = program.name();
  const places = placesOf(program, '');
  const commands = places.filter(({ path }) => path !== '' && !path.includes(' --')).map(({ path }) => path);
  return SCRIPTS[shell](name, places, commands);
}

function placesOf(command: Command, path: string): Place[] {
  const below = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`));
  const visible = command.createHelp().visibleOptions(command);
  const options = visible.map(({ long, description }) => ({ word: long ?? '', description }));
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({
      word: one.name(),
      description: one.summary() || one.description(),
    }));
  const [argument] = command.registeredArguments;
  const chosen = (argument?.argChoices ?? []).map((word) => ({ word, description: argument?.description ?? '' }));
  const words = [...commands, ...chosen, ...options];
  const takesFile = command.registeredArguments.some((one) => isFile(one.name()));
  return [{ path, words, takesFile }, ...visible.flatMap((option) => valuesOf(option, path)), ...below];
}

/** The place of the value of an option. */
function valuesOf({ long, flags, argChoices = [], description, required }: Option, path: string): Place[] {
  if (!required) return [];
  const words = argChoices.map((word) => ({ word, description }));
  return [{ path: `${path} ${long}`, words, takesFile: isFile(flags) }];
}

function isFile(name: string): boolean {
  return /file|source/.test(name);
}

type Script = (name: string, places: readonly Place[], commands: readonly string[]) => string;

const bash: Script = (name, places, commands) => `_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} place= words= files= part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $part" in
      ${commands.map(quoted).join(' | ')}) place="$place $part" ;;
    esac
  done
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
    ${places
      .filter(isOfValue)
      .map(({ path }) => quoted(path))
      .join(' | ')}) place="$place \${COMP_WORDS[COMP_CWORD-1]}" ;;
  esac
  case "$place" in
${places
  .map(({ path, words, takesFile }) => {
    const list = words.map(({ word }) => word).join(' ');
    return `    ${quoted(path)}) words=${quoted(list)}${takesFile ? ' files=1' : ''} ;;`;
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ $files && $word != -* ]]; then
    compopt -o filenames
    COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _${name} ${name}
`;

const zsh: Script = (name, places, commands) => `#compdef ${name}
_${name}() {
  local place= files= part
  local -a entries
  for part in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $part" in
      (${commands.map(quoted).join(' | ')}) place="$place $part" ;;
    esac
  done
  case "$place $words[CURRENT-1]" in
    (${places
      .filter(isOfValue)
      .map(({ path }) => quoted(path))
      .join(' | ')}) place="$place $words[CURRENT-1]" ;;
  esac
  case "$place" in
${places
  .map(({ path, words, takesFile }) => {
    const list = words
      .map(({ word, description }) => quoted(`${word}:${description.replaceAll(':', '\\:')}`))
      .join(' ');
    return `    (${quoted(path)}) entries=(${list})${takesFile ? ' files=1' : ''} ;;`;
  })
  .join('\n')}
  esac
  if (( $#entries )); then _describe -o ${name} entries; fi
  if [[ -n $files ]]; then _files; fi
}
compdef _${name} ${name}
`;

const fish: Script = (name, places, commands) => `function __${name}_complete
  set -l place ''
  set -l parts (commandline -opc)
  for part in $parts[2..-1]
    switch "$place $part"
      case ${commands.map(quoted).join(' ')}
        set place "$place $part"
    end
  end
  switch "$place $parts[-1]"
    case ${places
      .filter(isOfValue)
      .map(({ path }) => quoted(path))
      .join(' ')}
      set place "$place $parts[-1]"
  end
  switch "$place"
${places
  .map(({ path, words, takesFile }) => {
    const list = words.map(({ word, description }) => quoted(`${word}\t${description}`)).join(' ');
    const files = takesFile ? '\n      __fish_complete_path (commandline -ct)' : '';
    return `    case ${quoted(path)}\n      printf '%s\\n' ${list}${files}`;
  })
  .join('\n')}
  end
end
complete -c ${name} -f -a '(__${name}_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, Script>> = { bash, zsh, fish };

function isOfValue({ path }: Place): boolean {
  return path.includes(' --');
}

/** A text in single quotes, as all three shells read it: none of the texts has a backslash, and an apostrophe is typographic. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
