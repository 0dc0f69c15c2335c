/** Removes what XML 1.0 cannot hold (section 2.2): controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
export function validXml(document: string): string {
  return document.replace(NO_CHARACTERS, '');
}

const NO_CHARACTERS = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
