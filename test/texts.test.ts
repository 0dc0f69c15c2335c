import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Turns that no text has, what to write instead, and a text with each. */
const TURNS: readonly (readonly [RegExp, string, string])[] = [
  [/(?<!there )\b(?:is|are|was|were|be) none\b/, '"is not a …", "does not exist"', 'a number that is none'],
  [/\bwhere there (?:is|are|was|were)\b/, '"if there is"', 'empty where there is none'],
  [/[,:;] none where\b/, '"absent if"', 'Knots; none where it is negative'],
  [/\bnone any more\b/, '"no longer exists", "retracted"', 'an event that is none any more'],
  [/\bwhoever\b/i, '"anyone who", "a user who"', 'shown to whoever has it'],
  [
    /(?:^|[.;:|] )Who (?!can|may|caused|signed)[a-z]+s\b/,
    '"A client that", "A user who"',
    'Who reads slowly gets larger pages.',
  ],
  [/\banew\b/, '"again"', 'begins them anew'],
  [/\bin sight\b|\binto (?:its|their) sight\b/, '"visible", "that the caller can see"', 'all vehicles in sight'],
  [/\bTells whether\b/, '"Returns true if"', 'Tells whether it runs.'],
  [/(?:^|[.;|] )Whether (?!to|or not|posts|the … is protected)/, '"True if"', 'Whether the ignition is on.'],
  [/\bwas (?:last )?heard\b|\bbeen heard\b/, '"last seen", "reported"', 'has not been heard lately'],
  [/\bleft out\b|\bleave[s]? out\b|\bleaving out\b/, '"omitted", "skipped"', 'fields that are left out'],
  [/\b(?:an?|no|have|has) (?:[a-z]+ )?of (?:its|their|your) own\b/, '"its own …", "separate"', 'a client of its own'],
  [/\bby turns\b/, '"in turn", "alternately"', 'hands them out by turns'],
  [/\bThere are none\b/, '"No results"', 'There are none'],
  [/\bsays so\b/, 'what it reports, and where', 'rejects the data, and says so'],
  [/\b(?:is|are) told\b/, '"is notified of", "receives"', 'apps are told nothing'],
  [/\b(?:goes|going|went) on\b|\bto go on\b/, '"continues", "resumes"', 'an interrupted move goes on'],
  [/\btells (?:of|when|how|about|more|whether|that)\b/, '"reports", "shows", "describes"', 'the log tells of sign-ins'],
  [/\bas ever\b|\bas it was before\b/, '"unchanged"', 'returns lists as ever'],
  [/\bshall\b/, '"must", "should"', 'when a second machine shall serve'],
  [/\brefus(?:e|es|ed|ing|al)\b/, '"reject"', 'Sign-in refused'],
  [/\bin (?:the )?place of\b/, '"instead of"', 'in place of this file'],
  [/\bbeside (?:that|the public|any|radius|point|tier)\b/, '"in addition to", "with"', 'beside the public internet'],
  [/\bdisregards?\b/, '"ignores"', 'it disregards the bounds'],
  [/\bRepeating it is fine\b/, '"Idempotent."', 'Repeating it is fine.'],
  [/(?<!there )\b(?:is|are) no (?!longer\b)(?:[a-z]+ )?[a-z]+\.?$/, '"is not a …"', 'the field is no connection'],
  [/\bthe one before stays\b/, '"the previous one stays"', 'the one before stays'],
  [/\bof no use\b/, '"has no effect", "cannot be set"', 'vehicle_key is of no use'],
  [/\bworked out\b/, '"computed"', 'worked out each time'],
  [/\bfor want of\b/, '"because … is missing"', 'rejected for want of a scope'],
];

/** Texts of a program: its strings and templates of several words, without code, and with … for inserted values. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  function visit(node: { readonly type?: string; readonly value?: unknown; readonly quasis?: readonly Quasi[] }): void {
    if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node.quasis) texts.push(node.quasis.map(({ value }) => value.raw).join('…'));
    for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) visit(part);
  }
  visit(parseSync(file, source).program);
  return texts.filter((text) => / \S+ /.test(text)).map((text) => text.replace(/`[^`]*`/g, '…'));
}

interface Quasi {
  readonly value: { readonly raw: string };
}

/** Paragraphs, list items and table cells of a document, without code. */
function paragraphsOf(document: string): string[] {
  return document
    .replace(/^```[\s\S]*?^```/gm, '\n')
    .replace(/`[^`\n]*`/g, '…')
    .split(/\n\s*\n|\n(?=[-|#])| \| /)
    .map((paragraph) => paragraph.replace(/\s+/g, ' '));
}

/** Turns in a text, each with its place and what to write instead. */
function faultsOf(place: string, text: string): string[] {
  return TURNS.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text);
    if (!found) return [];
    const { index } = found;
    const around = text.slice(Math.max(0, index - 60), index + 80);
    return [`${place}: "${around}": instead of "${found[0]}" write ${instead}`];
  });
}

/** Texts that users and operators of the program read, by file. */
function textsIn(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  if (file === 'schema.graphql') return source.match(/"""[^"]*"""/g) ?? [];
  if (file.endsWith('.ts')) return textsOf(file, source);
  if (!file.endsWith('CHANGELOG.md')) return paragraphsOf(source);
  return paragraphsOf(/^## Unreleased([\s\S]*?)^## /m.exec(source)?.[1] ?? '');
}

test('texts and documents are in plain English', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.md', 'schema.graphql'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !/^(?:test|bench|command)\//.test(file));
  const faults = files.flatMap((file) => textsIn(file).flatMap((text) => faultsOf(file, text)));
  expect(faults).toEqual([]);
  expect(files.length).toBeGreaterThan(800);
});

test.each(TURNS)('%s is found, and not in what replaces it', (pattern, instead, text) => {
  expect(text).toMatch(pattern);
  expect(instead).not.toMatch(pattern);
});
