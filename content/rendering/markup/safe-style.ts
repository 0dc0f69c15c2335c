import { withoutControls } from './url-protocols.ts';
import { trimAscii } from './white-space.ts';

const PROPERTIES = new Set(
  (
    'background background-color border border-width border-color border-style border-right border-right-color ' +
    'border-right-style border-right-width border-bottom border-bottom-color border-bottom-style border-bottom-width ' +
    'border-left border-left-color border-left-style border-left-width border-top border-top-color border-top-style ' +
    'border-top-width border-spacing border-collapse caption-side color font font-family font-size font-style ' +
    'font-variant font-weight letter-spacing line-height text-decoration text-indent text-align height min-height ' +
    'max-height width min-width max-width margin margin-right margin-bottom margin-left margin-top padding ' +
    'padding-right padding-bottom padding-left padding-top clear cursor direction float overflow vertical-align ' +
    'list-style-type'
  ).split(' '),
);

/** What could call a function, escape a character or hide something. */
const SUSPECT = /[\\(&=}]|\/\*/;

/** The declarations of a `style` attribute that strangers may make; empty if there are none, or anything is suspect. */
export function safeStyle(style: string): string {
  const oneLine = withoutControls(style)
    .replace(/\\+0+/g, '')
    .replace(/[\n\r\t]/g, '');
  if (SUSPECT.test(oneLine)) return '';
  return trimAscii(oneLine)
    .split(';')
    .filter((declaration) => declaration !== '')
    .map(trimAscii)
    .filter(
      (declaration) => !declaration.includes(':') || PROPERTIES.has(trimAscii(declaration.split(':', 1)[0] ?? '')),
    )
    .join(';');
}
