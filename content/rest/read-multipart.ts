import { textOf } from '../../http/requests/utf8.ts';

/** A part of a form (RFC 7578). */
export interface FormPart {
  readonly name: string;
  /** Undefined for a field. */
  readonly fileName: string | undefined;
  readonly type: string;
  /** A view of the body, not a copy. */
  readonly bytes: Buffer;
}

const LINE_END = '\r\n';

/** Maximum of the lines before the contents of a part, in bytes: that of the headers of a request. */
const MAX_HEAD = 16 * 1024;

/**
 * Reads the parts of a form as PHP does: with values of parameters in either kind of quotation marks or none, in which a
 * backslash escapes them. A part without a name or an end, or with too long a head, is passed over.
 *
 * @throws ServiceError BAD_REQUEST for a head that is not UTF-8
 */
export function* readMultipart(contentType: string, body: Buffer): Generator<FormPart> {
  const boundary = parametersIn(contentType).get('boundary') ?? '';
  if (boundary === '') return;
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1');
  // The first delimiter may be the start of the body, without the line before it.
  const isFirst = body.indexOf(delimiter.subarray(2)) === 0;
  let start = isFirst ? delimiter.length - 2 : endOf(delimiter, body, 0);
  while (start >= 0 && body.toString('latin1', start, start + 2) !== '--') {
    const end = body.indexOf(delimiter, start);
    if (end < 0) return;
    const part = partOf(body.subarray(start + LINE_END.length, end));
    if (part) yield part;
    start = end + delimiter.length;
  }
}

function endOf(delimiter: Buffer, body: Buffer, from: number): number {
  const at = body.indexOf(delimiter, from);
  return at < 0 ? at : at + delimiter.length;
}

function partOf(part: Buffer): FormPart | null {
  const end = part.subarray(0, MAX_HEAD).indexOf(LINE_END + LINE_END);
  if (end < 0) return null;
  const lines = textOf(part.subarray(0, end)).split(LINE_END);
  const header = (name: string) => lines.find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? '';
  const parameters = parametersIn(header('content-disposition'));
  const name = parameters.get('name');
  if (name === undefined) return null;
  const type = header('content-type').slice('content-type:'.length).trim();
  return { name, fileName: parameters.get('filename'), type, bytes: part.subarray(end + 2 * LINE_END.length) };
}

/** A parameter of a header, with its value in quotation marks or without. */
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^;]*))/gs;

/** The parameters of a header by name; the last of two wins. */
function parametersIn(header: string): ReadonlyMap<string, string> {
  const found = [...header.matchAll(PARAMETER)].map(([, name = '', double, single, bare = '']) => {
    const value = double?.replace(/\\(["\\])/g, '$1') ?? single?.replace(/\\(['\\])/g, '$1') ?? bare.trim();
    return [name.toLowerCase(), value] as const;
  });
  return new Map(found);
}
