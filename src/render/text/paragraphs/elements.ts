/** How the paragraph rule sees elements. Names count in lower case only. Written from the recordings. */

/** They stand on lines of their own and get no paragraph around them. */
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

/** They open no paragraph when nothing else is in it, and take no break beside them; within a paragraph they are inline. */
export const QUIET_ELEMENTS: ReadonlySet<string> = new Set(['figcaption', 'param', 'picture'])

/** What they hold is never changed. */
export const OPAQUE_ELEMENTS: ReadonlySet<string> = new Set(['math', 'pre', 'script', 'style', 'svg'])

/** Blanks and line ends in front of and behind these elements go. */
export const TIGHT_ELEMENTS: ReadonlySet<string> = new Set(['figcaption', 'option'])

/** The same for these, which have no content. */
export const TIGHT_VOIDS: ReadonlySet<string> = new Set(['source', 'track'])

/** The same for these inside media elements. */
export const TIGHT_IN_MEDIA: ReadonlySet<string> = new Set(['embed', 'param'])

export const MEDIA_ELEMENTS: ReadonlySet<string> = new Set(['audio', 'object', 'picture', 'video'])

/** A line end right before their closing tag stays one; before that of other elements it becomes a break. */
export const NO_BREAK_BEFORE_END: ReadonlySet<string> = new Set([
  ...['dd', 'dl', 'dt', 'li', 'menu', 'ol', 'picture', 'td', 'th', 'thead', 'ul'],
])
