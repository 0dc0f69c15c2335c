/** The form in which e-mail addresses are compared: NFC, without surrounding white space, in lower case. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}
