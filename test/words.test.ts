import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const ROOMS = [
  'schema',
  'models',
  'auth',
  'http',
  'rest-bridge',
  'tracking',
  'notifying',
  'resolvers',
  'graphql',
  'content',
  'embedded',
  'client',
  'element',
  'pages',
  'server',
  'cli',
  'test',
  'bench',
];

/** Words that no name has, and the standard term of each. */
const STANDARD_TERMS: Readonly<Record<string, string>> = {
  asleep: 'suspended',
  desk: 'scheduler',
  door: 'endpoint',
  forget: 'purge, expire or clear',
  forgotten: 'purged, expired or cleared',
  heard: 'last seen',
  judge: 'evaluate',
  judged: 'evaluated',
  keeper: 'manager',
  longest: 'max',
  neighbours: 'adjacent posts',
  refusal: 'rejection or error response',
  refuse: 'reject',
  refuses: 'rejects',
  refusing: 'rejecting',
  sight: 'access scope',
  surroundings: 'context',
  verdict: 'evaluation',
  wish: 'option or request',
};
/** Words that no name of several words begins with, and the standard term of each. */
const STANDARD_BEGINNINGS: Readonly<Record<string, string>> = {
  most: 'max',
  greatest: 'max',
  largest: 'max',
  maximal: 'max',
};
/** A name that WordPress gives. */
const WORDPRESS_LABEL = 'most_used';
/** A name that Traccar gives to an alarm. */
const TRACCAR_ALARM = 'door';
/** Whole names that are not used. */
const AVOIDED: ReadonlySet<string> = new Set([
  'Who',
  'Given',
  'Asked',
  'Maybe',
  'Wish',
  'EVERYTHING',
  'inTurns',
  'careFor',
  'partsOf',
  'mayGoBy',
  'isAtHome',
  'momentMeant',
  'othersTurn',
]);

/** Comments, texts and patterns, which hold no names. */
const PROSE =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[[(,=:]\s*)\/(?![*/])(?:\\.|[^/\\\n])+\//g;

const files = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${room}/${name}`),
).filter((file) => file !== 'test/words.test.ts');
const sources = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Words of a name in camelCase, UPPER_CASE or kebab-case, in lower case; a plural counts as its singular. */
function wordsOf(name: string): string[] {
  const words = name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_#$.-]+/)
    .map((word) => word.toLowerCase());
  return words.flatMap((word) => (word.endsWith('s') ? [word, word.slice(0, -1)] : [word]));
}

function isAvoided(name: string): boolean {
  const words = wordsOf(name);
  const [first = ''] = words;
  if (name === TRACCAR_ALARM) return false;
  return (
    AVOIDED.has(name) ||
    words.some((word) => Object.hasOwn(STANDARD_TERMS, word)) ||
    (words.length > 1 && Object.hasOwn(STANDARD_BEGINNINGS, first) && name !== WORDPRESS_LABEL)
  );
}

test('names are the standard terms of the field', () => {
  const named = sources.flatMap(({ file, text }) => {
    const names = new Set(text.replace(PROSE, ' ').match(/#?[A-Za-z_$][\w$]*/g));
    return [...names, basename(file, '.ts')].filter(isAvoided).map((name) => `${file}: ${name}`);
  });
  expect(named).toEqual([]);
  expect(['keptDoor', 'trip-sight', 'MOST_LINES', 'Who'].filter(isAvoided)).toHaveLength(4);
  expect(['endpoint', 'almostAll', 'insight', 'MAX_LINES'].filter(isAvoided)).toEqual([]);
});

/** Docstrings that begin with a free relative in place of a noun or a verb. */
const FREE_RELATIVE = /\/\*\*\s*(?:\*\s*)?(?:What|Whether|How|Where|Who|Whose|Whom|Which|Why)\b[^\n]*/g;

test('a docstring begins with a noun or a verb', () => {
  const found = sources.flatMap(({ file, text }) =>
    (text.match(FREE_RELATIVE) ?? []).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
  expect('/** What a caller may do. */'.match(FREE_RELATIVE)).toHaveLength(1);
});
