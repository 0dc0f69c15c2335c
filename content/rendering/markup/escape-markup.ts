/** The named character references of HTML 4, and `apos`. */
const NAMES = new Set(
  (
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn acute micro para ' +
    'middot cedil ordm raquo iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
    'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute ' +
    'THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
    'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml quot amp lt ' +
    'gt apos OElig oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo ' +
    'sbquo ldquo rdquo bdquo dagger Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta Epsilon Zeta Eta ' +
    'Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta ' +
    'epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega ' +
    'thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr rarr darr harr ' +
    'crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop ' +
    'infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil ' +
    'rceil lfloor rfloor lang rang loz spades clubs hearts diams sup1 sup2 sup3 frac14 frac12 frac34 there4'
  ).split(' '),
);

/** Writes `&` as `&amp;` wherever it begins no valid character reference; numbers get three digits at least. */
export function normalizeReferences(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replace(/&amp;([A-Za-z]{2,8}[0-9]{0,2});/g, (reference, name) => (NAMES.has(name) ? `&${name};` : reference))
    .replace(/&amp;#(0*[0-9]{1,7});/g, (_reference, digits) => numericReference('', digits, 10))
    .replace(/&amp;#[Xx](0*[0-9A-Fa-f]{1,6});/g, (_reference, digits) => numericReference('x', digits, 16));
}

/** The reference without leading zeros; text if no character has that number, nothing if it is 0. */
function numericReference(sign: '' | 'x', digits: string, base: 10 | 16): string {
  if (digits === '0') return '';
  if (!isCharacter(Number.parseInt(digits, base))) return `&amp;#${sign}${digits};`;
  const significant = digits.replace(/^0+/, '');
  return `&#${sign}${base === 10 ? significant.padStart(3, '0') : significant};`;
}

function isCharacter(code: number): boolean {
  const isSpace = code === 9 || code === 10 || code === 13;
  const isBasic = (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd);
  return isSpace || isBasic || (code >= 0x10000 && code <= 0x10ffff);
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Writes `<`, `>` and bare `&` as character references; existing references stay. */
export function escapeMarkup(text: string): string {
  return normalizeReferences(text).replace(/[<>]/g, (char) => ESCAPES[char] ?? char);
}

/** As `escapeMarkup`, and quotation marks as well: for the value of an attribute. */
export function escapeAttribute(text: string): string {
  return normalizeReferences(text).replace(/[<>"']/g, (char) => ESCAPES[char] ?? char);
}
