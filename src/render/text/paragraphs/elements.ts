/** Classifies elements for the paragraph rule. Names match in lower case only. Written from the recordings. */

/** Elements that begin a line and get no paragraph around them. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set([
  ...['address', 'area', 'article', 'aside', 'blockquote', 'caption', 'col', 'colgroup', 'dd', 'details', 'div', 'dl'],
  ...['dt', 'fieldset', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr'],
  ...[
    'legend',
    'li',
    'map',
    'menu',
    'nav',
    'ol',
    'pre',
    'section',
    'style',
    'summary',
    'table',
    'tbody',
    'td',
    'tfoot',
  ],
  ...['th', 'thead', 'tr', 'ul'],
])

/** Block elements without a closing tag (HTML standard, void elements). */
export const VOID_BLOCKS: ReadonlySet<string> = new Set(['area', 'col', 'hr'])

/** Elements that need no paragraph by themselves and get no break beside them; inside a paragraph they are inline. */
export const QUIET_ELEMENTS: ReadonlySet<string> = new Set(['figcaption', 'param', 'picture'])

/** The rule never changes the content of these elements. */
export const OPAQUE_ELEMENTS: ReadonlySet<string> = new Set(['math', 'pre', 'script', 'style', 'svg'])

/** Blanks and line ends around these elements are removed. */
export const TIGHT_ELEMENTS: ReadonlySet<string> = new Set(['figcaption', 'option'])

/** Blanks and line ends around these void elements are removed. */
export const TIGHT_VOIDS: ReadonlySet<string> = new Set(['source', 'track'])

/** Blanks and line ends around these elements are removed inside media elements. */
export const TIGHT_IN_MEDIA: ReadonlySet<string> = new Set(['embed', 'param'])

export const MEDIA_ELEMENTS: ReadonlySet<string> = new Set(['audio', 'object', 'picture', 'video'])

/** A line end right before their closing tag stays; before the closing tag of other elements it becomes a break. */
export const NO_BREAK_BEFORE_END: ReadonlySet<string> = new Set([
  ...['dd', 'dl', 'dt', 'li', 'menu', 'ol', 'picture', 'td', 'th', 'thead', 'ul'],
])
