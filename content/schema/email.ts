/** Returns true if a text is an e-mail address by the rules of the reference: one that public mail servers accept. */
export function isEmail(text: string): boolean {
  return (
    text.length >= 6 &&
    /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(
      text,
    )
  );
}

/** Returns true if a text can be the login of a website user: ASCII letters, digits, single blanks and `_ . - @`. */
export function isLogin(text: string): boolean {
  return /^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i.test(text) && text !== '0';
}
