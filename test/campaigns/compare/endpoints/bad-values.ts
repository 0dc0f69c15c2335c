/** Values that fit no parameter, or only just: what people, programs and attackers send. */
export const BAD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '1.5',
  '999999999999999999999',
  'true',
  'null',
  'undefined',
  'Ünïcödé ✓',
  "' OR 1=1 --",
  '<script>',
  '../../etc/passwd',
  'a'.repeat(300),
  'AAAAAAAAAAAAAAAAAAAAAA',
  '2026-02-30',
  '2026-03-01T00:00:00Z',
  '[]',
  '{}',
] as const;

/** JSON values of every type. */
export const BAD_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  ' ',
  'x',
  'ü'.repeat(300),
  [],
  ['x'],
  {},
  { a: 1 },
] as const;

/** Bodies that are no JSON object, or not of the type that they say. */
export const BAD_BODIES: readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = [
  { headers: { 'content-type': 'application/json' }, body: '' },
  { headers: { 'content-type': 'application/json' }, body: '{' },
  { headers: { 'content-type': 'application/json' }, body: 'null' },
  { headers: { 'content-type': 'application/json' }, body: '[]' },
  { headers: { 'content-type': 'application/json' }, body: '"text"' },
  { headers: { 'content-type': 'application/json' }, body: '[{}]' },
  { headers: { 'content-type': 'application/json' }, body: '{"a":1,"a":2,"__proto__":{}}' },
  { headers: { 'content-type': 'application/json' }, body: `${'['.repeat(100)}${']'.repeat(100)}` },
  { headers: { 'content-type': 'application/json; charset=latin1' }, body: '{}' },
  { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: '{}' },
  { headers: { 'content-type': 'text/plain' }, body: '{}' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&a=2' },
  { headers: { 'content-type': 'nonsense' }, body: '{}' },
  { headers: {}, body: '{}' },
];
