import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An instruction of a Dockerfile: `{ name: 'USER', text: '1000:1000' }`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage of a Dockerfile: the image on which it builds, its name if it has one, and its instructions in order. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile; arguments before the first one are replaced by their defaults. */
export function readStages(path: string): Stage[] {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8').replaceAll(/^#.*\n/gm, '');
  const [head = '', ...stages] = text.split(/^(?=FROM )/m);
  const defaults = new Map([...head.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]));
  return stages.map((stage) => {
    const [from = '', ...lines] = stage
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter(Boolean);
    const [, base = '', name] = /^FROM (\S+)(?: AS (\S+))?$/.exec(from) ?? [];
    return {
      base: base.replaceAll(/\$\{(\w+)\}/g, (_, argument) => defaults.get(argument) ?? ''),
      name,
      instructions: lines.map((line) => {
        const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
        return { name: word, text: rest };
      }),
    };
  });
}

/** Text of the last instruction with a name in a stage; empty if there is none. */
export function lastOf({ instructions }: Stage, name: string): string {
  return instructions.findLast((instruction) => instruction.name === name)?.text ?? '';
}
