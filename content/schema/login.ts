/** Returns true if a text can be the login of a website user: ASCII letters, digits, single blanks and `_ . - @`. */
export function isLogin(text: string): boolean {
  return /^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i.test(text) && text !== '0';
}
