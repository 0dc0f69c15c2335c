/** Whether a text is an e-mail address as the reference sees it: one that mail servers of the open internet take. */
export function isEmail(text: string): boolean {
  return (
    text.length >= 6 &&
    /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(
      text,
    )
  );
}
