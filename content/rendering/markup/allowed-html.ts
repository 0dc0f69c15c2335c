/** Element → the attributes it may have. */
export type AllowedHtml = ReadonlyMap<string, ReadonlySet<string>>;

const EVERYWHERE = 'class id style title role';
const LANGUAGE = 'align dir lang xml:lang';
const CELL = 'align char charoff valign';

/** Elements (in the first column) that authors may use, and what they may have beside `class id style title role`. */
const POST: readonly (readonly [string, string])[] = [
  ['address abbr acronym b big br code dd dfn dl dt em fieldset i kbd mark s samp small strike strong sub sup', ''],
  ['title tt u var', ''],
  ['bdo', 'dir'],
  ['caption h1 h2 h3 h4 h5 h6 legend', 'align'],
  ['del', 'datetime'],
  ['label', 'for'],
  ['map', 'name'],
  ['menu ul', 'type'],
  ['pre', 'width'],
  ['q', 'cite'],
  ['cite', 'dir lang'],
  ['ins', 'cite datetime'],
  ['li', 'align value'],
  ['blockquote', 'cite lang xml:lang'],
  ['font', 'color face size'],
  ['ol', 'reversed start type'],
  ['article aside div figure figcaption footer header hgroup nav p span section summary', LANGUAGE],
  ['details', `${LANGUAGE} open`],
  ['button', 'disabled name type value'],
  ['hr', 'align noshade size width'],
  ['a', 'href name rel rev target'],
  ['textarea', 'cols disabled name readonly rows'],
  ['area', 'alt coords href nohref shape target'],
  ['img', 'align alt border height hspace longdesc src usemap vspace width'],
  ['audio', 'autoplay controls loop muted preload src'],
  ['video', 'autoplay controls height loop muted poster preload src width'],
  ['track', 'default kind label src srclang'],
  ['table', 'align bgcolor border cellpadding cellspacing dir rules summary width'],
  ['tbody tfoot thead', CELL],
  ['tr', `${CELL} bgcolor`],
  ['colgroup', `${CELL} span width`],
  ['col', `${CELL} dir span width`],
  ['th', `${CELL} abbr axis bgcolor colspan headers height nowrap rowspan scope width`],
  ['td', `${CELL} abbr axis bgcolor colspan dir headers height nowrap rowspan scope width`],
];

/** Elements and attributes that strangers may use in comments, names and descriptions. */
const COMMENT: readonly (readonly [string, string])[] = [
  ['b code em i s strike strong cite', ''],
  ['a', 'href title'],
  ['abbr acronym', 'title'],
  ['blockquote q', 'cite'],
  ['del', 'datetime'],
];

/** The elements that may be used in posts (by authors who may not use everything) and in comments. */
export const ALLOWED_HTML: Readonly<Record<'post' | 'comment', AllowedHtml>> = {
  post: allowedBy(POST, EVERYWHERE),
  comment: allowedBy(COMMENT, ''),
};

function allowedBy(table: readonly (readonly [string, string])[], everywhere: string): AllowedHtml {
  return new Map(
    table.flatMap(([elements, attributes]) =>
      elements
        .split(' ')
        .map((element) => [element, new Set(`${attributes} ${everywhere}`.split(' ').filter(Boolean))]),
    ),
  );
}
