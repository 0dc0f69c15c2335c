import { describe, expect, test } from 'vitest';

import { checkNewPassword } from '../../../auth/secrets/password-rule.ts';
import { hashPassword, isPassword } from '../../../auth/secrets/passwords.ts';

const rejection = (message: string) => ({ code: 'BAD_REQUEST', message: expect.stringContaining(message) });
const check = (password: string) => checkNewPassword(password, 'ada.lovelace@mill.example');

describe('a new password', () => {
  test.each([
    'correct horse battery staple',
    'rye bread at dawn',
    'нам не страшен волк',
    'qm7 xk2 vt9 zr4 pj',
    '🐙🦊🐢🦉🐝🦋🐌🐞🦀🐡🐬🦩🦚🦜🐇',
    `${'rye bread at dawn, '.repeat(3)}and ${'so on '.repeat(160)}`.slice(0, 1024),
  ])('is accepted whatever it is made of: %s', async (password) => {
    await expect(check(password)).resolves.toBeUndefined();
  });

  test.each(['', '1', 'rye bread dawn', '🐙🦊🐢🦉🐝🦋🐌🐞🦀🐡🐬🦩🦚🦜'])(
    'of fewer than 15 characters is refused: %j',
    async (password) => {
      await expect(check(password)).rejects.toMatchObject(rejection('password must have at least 15 characters'));
    },
  );

  test('of more than 1,024 characters is refused, and never cut off', async () => {
    const long = 'rye bread at dawn, '.repeat(54);
    await expect(check(long.slice(0, 1025))).rejects.toMatchObject(
      rejection('password must have at most 1024 characters'),
    );
  });

  test.each([
    'passwordpassword',
    'password12345678',
    'iloveyouiloveyou',
    '123456789012345',
    'qwertyuiopasdfghjkl',
    'abcdefghijklmnopq',
    'aaaaaaaaaaaaaaaaaaaa',
    'a'.repeat(1000),
    'waybridgewaybridge',
    'Waybridge password',
    'ada.lovelace@mill.example',
    'LovelaceLovelace1',
  ])('that is easy to guess is refused: %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject(rejection('password is too easy to guess'));
  });
});

describe('a password is recognised', () => {
  test('in whatever Unicode form it is typed', async () => {
    const stored = await hashPassword('crème brûlée ﬁn');
    expect(await isPassword('creme bru\u0302le\u0301e fin'.replace('creme', 'cre\u0300me'), stored)).toBe(true);
    expect(await isPassword('creme brulee fin', stored)).toBe(false);
  });

  test('by a hash of the first releases', async () => {
    // Made from the password "fl\u00f6ur", of which it took the NFC form.
    const stored = 'scrypt$AAECAwQFBgcICQoLDA0ODw$JNPBiebTnQDTEMVFXuI7f1AOxSrZLEi9GDzzWKerWQw';
    expect(await isPassword('flo\u0308ur', stored)).toBe(true);
    expect(await isPassword('flour', stored)).toBe(false);
  });
});
