const NO_CHARACTERS = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Removes or replaces what XML 1.0 cannot hold (section 2.2): controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
export function validXml(text: string, replacement = ''): string {
  return text.replace(NO_CHARACTERS, replacement);
}

/** Writes a text for the content of an element or a quoted attribute of XML; what XML cannot hold is U+FFFD. */
export function escapeXml(text: string): string {
  return validXml(text, '\ufffd').replace(/[&<>"\t\n\r]/g, (found) => ENTITIES[found] ?? found);
}
