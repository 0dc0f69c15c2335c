/** Cause of a difference: WordPress's version, its markup, a decision, or chance. */
export type Cause = 'version' | 'markup' | 'strictness' | 'chance';

/** A kind of difference that is meant. A difference is explained by the first row that matches it. */
export interface Explanation {
  readonly cause: Cause;
  /** The difference in the words of the documentation. */
  readonly what: string;
  readonly reason: string;
  /** Matches `METHOD route`; everything unless given. */
  readonly at?: RegExp;
  /** Matches the kind of the difference. */
  readonly kind: RegExp;
  /** Matches what WordPress said at the place; anything unless given. */
  readonly theirs?: RegExp;
  /** Matches what was said here at the place; anything unless given. */
  readonly ours?: RegExp;
  /** Matches the parameters of the request; any unless given. */
  readonly about?: RegExp;
}

/** Members and texts that WordPress has added or changed since 4.9. */
const LATER_VERSIONS: readonly Explanation[] = [
  {
    cause: 'version',
    what: 'Members that later versions added: `permalink_template`, `generated_slug`, `block_version`, `missing_image_sizes`, `filesize`, `date_floating`, `rest_namespace`, `has_archive`, `icon`, `data.details`, the link `wp:action-unfiltered-html`; types and taxonomies of blocks, templates and menus',
    reason: '4.9 does not have them',
    kind: /(permalink_template|generated_slug|block_version|missing_image_sizes|filesize|date_floating|rest_namespace|has_archive|icon|allow_batch|visibility|\.data\.details|unfiltered-html|\.(nav_menu(_item)?|wp_\w+)) missing$/,
  },
  {
    cause: 'version',
    what: 'Settings `show_on_front`, `page_on_front`, `page_for_posts`, `site_logo`, `site_icon`',
    reason: '4.9 does not have them',
    at: /settings/,
    kind: /\.(show_on_front|page_on_front|page_for_posts|site_logo|site_icon) missing$/,
  },
  {
    cause: 'version',
    what: '`persisted_preferences` among the meta fields of users',
    reason: 'Added in 6.1',
    kind: /\.meta$/,
    theirs: /persisted_preferences/,
  },
  {
    cause: 'version',
    what: 'Links of media have `attributes` instead of `embeddable`',
    reason: 'As in 4.9',
    kind: /_links\..*\.(attributes added|embeddable missing)$|_embedded missing$/,
    at: /media/,
  },
  {
    cause: 'version',
    what: 'Descriptions, formats and bounds of parameters and properties, in the index and with OPTIONS',
    reason: 'They are those of 4.9',
    kind: /^\$(\.body)?\.(endpoints|schema|routes|_links\.self|namespaces|authentication|site_icon|site_logo|methods)|^\$(\.body)?\._links\.(self|help|wp:featuredmedia)/,
  },
  {
    cause: 'version',
    what: 'Messages about what is neither true nor false name the value',
    reason: '4.9 words them so',
    kind: /^\$\.data\.params\.\w+$/,
    theirs: /is not of type boolean/,
  },
  {
    cause: 'version',
    what: 'Messages about invalid parameters: lists of choices (`a, b` instead of `a and b`), the value instead of the name of what is no boolean or IP address, no “Reason”',
    reason: '4.9 words them so',
    kind: /^\$\.(body\.)?(data\.params\.\w+|message)$/,
    theirs: /is not one of .* and |is not a valid IP address|Term ID |string,null|is not authors|illegal characters/,
    ours: /is not one of|is not of type|is not a valid IP address|invalid characters|Invalid date/,
  },
  {
    cause: 'version',
    what: 'A value of another type than a choice is “not one of” the choices',
    reason: '4.9 checks choices before types',
    kind: /^\$\.data\.params\.\w+$/,
    theirs: /is not of type string/,
    ours: /is not one of/,
  },
  {
    cause: 'version',
    what: 'An empty text, or one that begins or ends with a separator, is no list of numbers',
    reason: '4.9 splits a text at every separator, and refuses the empty parts',
    kind: /^status (200|201|401|403|404|\d+ \w+), here 400 rest_invalid_param$|data\.params\.\w+ added$|\$\.message$/,
    ours: /\w+\[\d+\] is not of type integer/,
  },
  {
    cause: 'version',
    what: '“No route was found matching the URL and request method” without a period',
    reason: 'So in 4.9',
    kind: /message$/,
    theirs: /^No route was found/,
    ours: /^No route was found/,
  },
  {
    cause: 'version',
    what: 'The value of `_embed` does not choose relations',
    reason: 'Added in 5.4; 4.9 embeds all',
    kind: /_embedded/,
    about: /_embed=/,
  },
  {
    cause: 'version',
    what: 'Objects in the trash, scheduled pages and media of private posts keep their permalink',
    reason: 'Later versions show the plain address',
    kind: /^header link$|\.link$|_links\.|^header location$|headers\.Link$|\.guid\.(raw|rendered)$/,
    theirs: /\?(p|page_id|attachment_id)=\d+/,
    ours: /__trashed|^(<?SITE\/[\w%/-]+)/,
  },
  {
    cause: 'version',
    what: 'Lists of revisions are not paged, and have no totals',
    reason: 'Paging of revisions was added in 5.0',
    at: /revisions$/,
    kind: /^header x-wp-/,
  },
  {
    cause: 'version',
    what: '`_fields` takes names of members, not of what is in them, leaves the links of single objects, and shows nothing if it is empty',
    reason: 'So in 4.9; nested names and `_links` were added in 5.3',
    kind: /^\$/,
    about: /_fields=/,
  },
  {
    cause: 'version',
    what: 'Lists of texts and numbers with empty parts: `status=,`, `slug=%20`',
    reason: '4.9 splits a text at every separator, and checks the empty parts',
    kind: /^(status 200|code \w+), here (400 )?rest_invalid_param$|^\$\[\] members$|^header (x-wp-|link)/,
    about: /(status|slug)=(""|" "|","|"1,,2"|null|\{|\[\{|\[""\]|\[null\]|\[\[1\]\])/,
  },
  {
    cause: 'version',
    what: 'Deleting a revision: the error where it is not permitted',
    reason: '4.9 asks for the permission to read revisions first, and lets those delete them who may delete the post',
    at: /^DELETE .*\/revisions\/|revisions/,
    kind: /rest_cannot_delete|^header allow$|headers\.Allow$|^status 403/,
  },
  {
    cause: 'version',
    what: '`Allow` of a term that was created or changed names GET for whoever may not edit terms',
    reason: 'Later versions show it in the context `edit`',
    at: /^POST \/wp\/v2\/(categories|tags)/,
    kind: /^header allow$/,
    theirs: /^(DELETE, )?POST|^$/,
    ours: /GET/,
  },
  {
    cause: 'version',
    what: 'Messages: “not allowed to create new terms”, “Username isn’t editable”',
    reason: 'So in 4.9',
    kind: /message$/,
    ours: /create new terms|isn't editable/,
  },
  {
    cause: 'version',
    what: '`orderby=include_slugs` without slugs orders by date',
    reason: 'Later versions do not order then',
    kind: /members$|^\$\[\]|^header/,
    about: /orderby="include_slugs"/,
  },
  {
    cause: 'version',
    what: 'Numbers with white space at their end are none: `offset=%201%20`',
    reason: 'So in the versions of PHP that 4.9 ran on',
    kind: /here 400 rest_invalid_param$/,
    about: /=" 1 "/,
  },
  {
    cause: 'version',
    what: '`Allow` with OPTIONS disregards the object that the path names',
    reason: 'As in 4.9',
    kind: /^header allow$/,
    about: /_method="OPTIONS"/,
  },
  {
    cause: 'version',
    what: '`Allow` with OPTIONS disregards the object that the path names',
    reason: 'As in 4.9',
    kind: /^header allow$/,
    at: /^OPTIONS /,
  },
  {
    cause: 'version',
    what: 'Labels of types and taxonomies; the message about statuses for editing',
    reason: 'Those of 4.9',
    kind: /\.labels\.|^\$\.message$/,
    at: /types|taxonomies|statuses/,
  },
  {
    cause: 'version',
    what: 'Messages about what the database takes end without a period, and have no `additional_data`',
    reason: 'As in 4.9',
    kind: /^\$\.(message|data|additional_data missing)$/,
    theirs: /^Could not .*\.$|^\[|^WordPress database error/,
  },
  {
    cause: 'version',
    what: 'The link from a comment to its children is not `embeddable`',
    reason: 'As in 4.9',
    kind: /_links\.children\[\]\.embeddable missing$/,
  },
  {
    cause: 'version',
    what: 'A term that exists is 409',
    reason: 'So in 4.9; later versions answer 400, with `additional_data`',
    kind: /^status 400 term_exists, here 409 term_exists$/,
  },
  {
    cause: 'version',
    what: '`Link` to other pages leaves out parameters that are false',
    reason: 'As in 4.9',
    kind: /^header link$/,
    theirs: /[?&]\w+(&|>)/,
  },
  {
    cause: 'version',
    what: 'The address of `oembed/1.0/embed` may be anything, and is then not found',
    reason: '4.9 does not check it',
    at: /oembed\/1\.0\/embed/,
    kind: /^status 400 rest_invalid_param, here 404 oembed_invalid_url$/,
  },
  {
    cause: 'version',
    what: 'Parameters with empty parts are named among those at fault',
    reason: '4.9 checks the empty parts of lists',
    kind: /^\$\.message$/,
    about: /=(","|null|""|" "|"1,,2")/,
  },
  {
    cause: 'version',
    what: 'The order in which settings at fault are named',
    reason: 'That of 4.9',
    at: /settings/,
    kind: /^\$\.message$/,
  },
];

/** Markup that WordPress generates in another way than 4.9 did, or than this service does. */
const MARKUP: readonly Explanation[] = [
  {
    cause: 'markup',
    what: '`decoding`, `loading` and `srcset` of images in content',
    reason: 'Added since 4.9, except `srcset`, which needs the sizes of the image',
    kind: /(content|description|excerpt|caption)\.rendered$/,
    theirs: /decoding="async"/,
  },
  {
    cause: 'markup',
    what: 'Links of comments with `rel="nofollow ugc"`',
    reason: '4.9 writes `rel="nofollow"`',
    kind: /content\.rendered$/,
    theirs: /rel="nofollow ugc"/,
  },
  {
    cause: 'markup',
    what: 'Frames of embedded posts',
    reason: 'The markup around an embedded post is the service’s own',
    kind: /\.(rendered|html)$|^body$/,
    theirs: /wp-embedded-content/,
  },
  {
    cause: 'markup',
    what: 'Comments of blocks (`<!-- wp:paragraph -->`) stay in the content',
    reason: '4.9 knows no blocks',
    kind: /(content|excerpt)\.rendered$/,
    ours: /<!-- wp:/,
  },
  {
    cause: 'markup',
    what: 'The quotes of `<style type=…>` in galleries',
    reason: 'As in 4.9',
    kind: /content\.rendered$/,
    theirs: /<style type="text\/css">/,
  },
];

/** Answers that are deliberately not those of WordPress. */
const DECISIONS: readonly Explanation[] = [
  {
    cause: 'strictness',
    what: 'A value that ends WordPress with an internal error is refused, or ignored',
    reason: 'An error of the caller is not a fault of the service',
    kind: /^status 500( internal_server_error)?, here/,
  },
  {
    cause: 'strictness',
    what: 'A revision is found below its post only',
    reason: 'WordPress answers revisions of any post below one that the caller may edit',
    at: /revisions/,
    kind: /^status (200|403|501|401).*here 404/,
  },
  {
    cause: 'strictness',
    what: 'A revision is found below its post only',
    reason: 'WordPress answers revisions of any post below one that the caller may edit',
    at: /revisions/,
    kind: /^\$\.(body|status)/,
    about: /_envelope=/,
  },
  {
    cause: 'strictness',
    what: 'A password of `0` is not stored',
    reason: 'WordPress stores it, but it protects nothing',
    kind: /\.password$/,
    theirs: /^0$/,
    ours: /^$/,
  },
  {
    cause: 'strictness',
    what: 'Numbers over 9,007,199,254,740,991',
    reason: 'JSON has no greater integers that all programs read',
    kind: /./,
    theirs: /92233720368547\d+/,
  },
  {
    cause: 'strictness',
    what: 'A template is one of those of the kind that the path names, whatever the id',
    reason: 'WordPress takes those of the object that has the id',
    kind: /^status 400 rest_invalid_param, here 404 rest_post_invalid_id$|params\.template|^\$\.message$/,
    about: /template=/,
    at: /(posts|pages|media)\/\(/,
  },
  {
    cause: 'strictness',
    what: 'The fault of a `status` of a list is named alone',
    reason: 'It depends on the caller, and is looked for when there is no other',
    kind: /^\$\.(message|data\.params\.status missing)$/,
    at: /^GET \/wp\/v2\/(posts|pages|media)$/,
    about: /status=/,
  },
  {
    cause: 'strictness',
    what: 'Searches find what a password protects only for those who may edit it',
    reason: 'WordPress finds it for every user, and so reveals its words',
    at: /^GET \/wp\/v2\/(posts|pages)$/,
    kind: /members$|^header (x-wp-|link)/,
    about: /search=/,
  },
  {
    cause: 'strictness',
    what: 'Totals of lists for editing count what the reader may edit',
    reason: 'WordPress counts what it does not show',
    kind: /^header (x-wp-|link)/,
    about: /context="edit"/,
  },
  {
    cause: 'strictness',
    what: 'A list is no template',
    reason: 'WordPress stores its type, `Array`',
    kind: /\.template$/,
    theirs: /^Array$/,
  },
];

/** Answers of WordPress that depend on its database. */
const CHANCE: readonly Explanation[] = [
  {
    cause: 'chance',
    what: 'Order of what has the same date',
    reason: 'WordPress leaves it to its database; here, what was created last comes first',
    // Two posts of the seeded content were published in the same second.
    kind: /\[\] order$/,
    theirs: /\b2[56],2[56]\b/,
    ours: /\b2[56],2[56]\b/,
  },
  {
    cause: 'chance',
    what: 'Order of what has the same author, parent or kind',
    reason: 'WordPress leaves it to its database',
    kind: /\[\] order$/,
    about: /orderby="(author|parent|type|post|count|term_group|relevance|menu_order)"/,
  },
];

/** All differences that are meant. `docs/wordpress.md` is made of it. */
export const EXPLAINED: readonly Explanation[] = [...LATER_VERSIONS, ...MARKUP, ...DECISIONS, ...CHANCE];
