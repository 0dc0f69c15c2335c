import { expect, test } from 'vitest';

import { parsePhpQuery, writePhpQuery } from '../../../content/rest/php-query.ts';

test.each([
  ['a=1&b=two', { a: '1', b: 'two' }],
  ['a=1&a=2', { a: '2' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
  ['a[b]=1&a[c][]=2', { a: { b: '1', c: ['2'] } }],
  ['a%5B%5D=1', { a: ['1'] }],
  ['a.b=1&c%20d=2', { a_b: '1', c_d: '2' }],
  ['a', { a: '' }],
  ['a=b+c%20d', { a: 'b c d' }],
  ['a=%zz&b=%C3%BC', { a: '%zz', b: 'ü' }],
  ['=1&&[x]=2', {}],
  ['', {}],
])('"%s" is read as PHP reads it', (text, read) => {
  expect(JSON.parse(JSON.stringify(parsePhpQuery(text)))).toEqual(read);
});

test('a name that objects have of themselves is a name like any other', () => {
  const tree = parsePhpQuery('__proto__=1&a[__proto__]=2&constructor=3');
  expect(Object.keys(tree)).toEqual(['__proto__', 'a', 'constructor']);
  expect(Reflect.ownKeys(Object.getPrototypeOf(tree)).filter((key) => typeof key === 'string')).toEqual([]);
  expect(Object.getPrototypeOf(Object.getPrototypeOf(tree))).toBeNull();
});

test('no more than a thousand parameters are read', () => {
  const text = Array.from({ length: 1200 }, (_, at) => `p${at}=1`).join('&');
  expect(Object.keys(parsePhpQuery(text))).toHaveLength(1000);
});

test.each([
  [{ a: ['1', '2'], page: 3 }, 'a%5B0%5D=1&a%5B1%5D=2&page=3'],
  [{ search: '', page: 2 }, 'search&page=2'],
  [{ sticky: false, on: true }, 'on=1'],
  [{ f: 'id, title' }, 'f=id%2C+title'],
])('%j is written as PHP writes it', (tree, text) => {
  expect(writePhpQuery(tree)).toBe(text);
});
