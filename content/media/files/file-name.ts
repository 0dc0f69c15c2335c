import { isUtf8 } from 'node:buffer';

import { typeOfEnding } from './allowed-types.ts';

/** Characters that are removed from file names. */
const SPECIAL = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+\0]/g;

/**
 * A file name as it arrived, as text. Bytes that are no UTF-8 are left out, and the rest is written like a slug, as
 * WordPress does.
 */
export function readFileName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(bytes.toString('latin1')) ?? [];
  const slug = stem
    .toLowerCase()
    .replace(/<[^>]*>|&.+?;|%/g, '')
    .replaceAll('.', '-')
    .replace(/[^a-z0-9\s_-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug + ending;
}

/**
 * The name under which an uploaded file may be stored: no part of a path, nothing that a shell or a server would take for
 * more than a name, and no ending in its midst that could run (`a.php.png` becomes `a.php_.png`). Rules: WordPress's
 * `sanitize_file_name`.
 *
 * @returns the name, empty where nothing is left of it
 */
export function safeFileName(name: string): string {
  const plain = name
    .replaceAll('\u00a0', ' ')
    .replace(SPECIAL, '')
    .replace(/[\r\n\t -]+/g, '-')
    .replace(/^[.\-_]+|[.\-_]+$/g, '');
  const [stem = '', ...endings] = plain.split('.');
  const ending = endings.pop();
  if (ending === undefined) return typeOfEnding(stem) === null ? stem : `unnamed-file.${stem}`;
  const inner = endings.map((part) =>
    /^[a-z]{2,5}\d?$/i.test(part) && typeOfEnding(part) === null ? `${part}_` : part,
  );
  return [stem, ...inner, ending.toLowerCase()].join('.');
}

/** A file name in two: before its ending, and the ending with its dot, empty where it has none. */
export function splitFileName(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
}

/**
 * The first free name among `stem.png`, `stem-1.png`, `stem-2.png`, … A name is taken as well where one of the scaled
 * copies that would lie beside it (`stem-300x225.png`) is.
 *
 * @param taken names in the folder that start like `name`
 */
export function freeFileName(name: string, taken: Iterable<string>): string {
  const [stem, ending] = splitFileName(name);
  const occupied = new Set<string>();
  for (const other of taken) {
    occupied.add(other.toLowerCase());
    occupied.add(other.toLowerCase().replace(/-\d+x\d+(\.[^.]*)$/, '$1'));
  }
  let free = name;
  for (let number = 1; occupied.has(free.toLowerCase()); number += 1) free = `${stem}-${number}${ending}`;
  return free;
}
