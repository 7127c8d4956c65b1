/**
 * Lists the elements and attributes that the filter allows. All others are removed; scripts, styles, frames, forms and foreign
 * graphics are absent on purpose. Names are in lower case and in alphabetical order within each group.
 */

/** Allowed elements, with the attributes that each may have besides those of all elements. */
export interface AllowList {
  readonly elements: ReadonlyMap<string, readonly string[]>
  /** Attributes that every element of the list may have. */
  readonly everywhere: ReadonlySet<string>
  /** Whether `data-*` attributes are allowed. */
  readonly hasData: boolean
}

/** HTML: global attributes. WAI-ARIA: states and properties that describe, name or reveal. XML: `xml:lang`. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  ...['aria-controls', 'aria-current', 'aria-describedby', 'aria-details', 'aria-expanded', 'aria-hidden'],
  ...['aria-label', 'aria-labelledby', 'aria-live', 'class', 'dir', 'hidden', 'id', 'lang', 'role', 'style'],
  ...['tabindex', 'title', 'xml:lang'],
])

const aligned = ['align'] as const
const cells = ['align', 'char', 'charoff', 'valign'] as const
const columns = [...cells, 'span', 'width'] as const

/** HTML defines these sections and grouping elements; `align` and similar attributes are obsolete but allowed. */
const SECTIONS = {
  address: [],
  article: aligned,
  aside: aligned,
  blockquote: ['cite'],
  dd: [],
  div: ['align', 'popover'],
  dl: [],
  dt: [],
  figcaption: aligned,
  figure: aligned,
  footer: aligned,
  h1: aligned,
  h2: aligned,
  h3: aligned,
  h4: aligned,
  h5: aligned,
  h6: aligned,
  header: aligned,
  hgroup: aligned,
  hr: ['align', 'noshade', 'size', 'width'],
  li: ['align', 'value'],
  main: aligned,
  menu: ['type'],
  nav: aligned,
  ol: ['reversed', 'start', 'type'],
  p: aligned,
  pre: ['width'],
  search: [],
  section: aligned,
  title: [],
  ul: ['popover', 'type'],
} as const

/** HTML: text-level semantics, edits and ruby. Obsolete elements are listed when old texts use them. */
const PHRASES = {
  a: ['download', 'href', 'name', 'rel', 'rev', 'target'],
  abbr: [],
  acronym: [],
  b: [],
  bdo: [],
  big: [],
  br: [],
  cite: [],
  code: [],
  data: ['value'],
  del: ['datetime'],
  dfn: [],
  em: [],
  font: ['color', 'face', 'size'],
  i: [],
  ins: ['cite', 'datetime'],
  kbd: [],
  mark: [],
  q: ['cite'],
  rb: [],
  rp: [],
  rt: [],
  rtc: [],
  ruby: [],
  s: [],
  samp: [],
  small: [],
  span: aligned,
  strike: [],
  strong: [],
  sub: [],
  sup: [],
  time: ['datetime'],
  tt: [],
  u: [],
  var: [],
  wbr: [],
} as const

/** HTML: embedded content and tables. The filter checks `object` further. */
const EMBEDDED = {
  area: ['alt', 'coords', 'href', 'nohref', 'shape', 'target'],
  audio: ['autoplay', 'controls', 'loop', 'muted', 'preload', 'src'],
  caption: aligned,
  col: columns,
  colgroup: columns,
  img: [...['align', 'alt', 'border', 'height', 'hspace', 'loading', 'longdesc', 'src', 'usemap', 'vspace', 'width']],
  map: ['name'],
  object: ['data', 'type'],
  table: ['align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'rules', 'summary', 'width'],
  tbody: cells,
  td: [
    ...['abbr', 'align', 'axis', 'bgcolor', 'char', 'charoff', 'colspan', 'headers', 'height', 'nowrap'],
    ...['rowspan', 'scope', 'valign', 'width'],
  ],
  tfoot: cells,
  th: [
    ...['abbr', 'align', 'axis', 'bgcolor', 'char', 'charoff', 'colspan', 'headers', 'height', 'nowrap'],
    ...['rowspan', 'scope', 'valign', 'width'],
  ],
  thead: cells,
  tr: ['align', 'bgcolor', 'char', 'charoff', 'valign'],
  track: ['default', 'kind', 'label', 'src', 'srclang'],
  video: [...['autoplay', 'controls', 'height', 'loop', 'muted', 'playsinline', 'poster', 'preload', 'src', 'width']],
} as const

/** HTML: interactive elements, and form elements that submit nothing. */
const INTERACTIVE = {
  button: [
    ...['aria-haspopup', 'command', 'commandfor', 'disabled', 'name', 'popovertarget', 'popovertargetaction'],
    ...['type', 'value'],
  ],
  details: ['align', 'name', 'open'],
  dialog: ['autofocus', 'open', 'popover'],
  fieldset: [],
  label: ['for'],
  legend: aligned,
  meter: ['high', 'low', 'max', 'min', 'optimum', 'value'],
  progress: ['max', 'value'],
  summary: aligned,
  textarea: ['cols', 'disabled', 'name', 'readonly', 'rows'],
} as const

/** MathML Core defines these attributes: global presentation attributes, and those of each element. */
const MATH_EVERYWHERE = ['displaystyle', 'mathbackground', 'mathcolor', 'mathsize', 'scriptlevel'] as const
const overUnder = [...MATH_EVERYWHERE, 'accent', 'accentunder'] as const
const MATH = {
  annotation: [...MATH_EVERYWHERE, 'encoding'],
  math: [...MATH_EVERYWHERE, 'display'],
  menclose: [...MATH_EVERYWHERE, 'notation'],
  merror: MATH_EVERYWHERE,
  mfrac: [...MATH_EVERYWHERE, 'linethickness'],
  mi: [...MATH_EVERYWHERE, 'mathvariant'],
  mmultiscripts: MATH_EVERYWHERE,
  mn: MATH_EVERYWHERE,
  mo: [
    ...MATH_EVERYWHERE,
    ...['fence', 'form', 'largeop', 'lspace', 'maxsize', 'minsize', 'movablelimits', 'rspace', 'separator'],
    ...['stretchy', 'symmetric'],
  ],
  mover: overUnder,
  mpadded: [...MATH_EVERYWHERE, 'depth', 'height', 'lspace', 'voffset', 'width'],
  mphantom: MATH_EVERYWHERE,
  mprescripts: MATH_EVERYWHERE,
  mroot: MATH_EVERYWHERE,
  mrow: MATH_EVERYWHERE,
  ms: MATH_EVERYWHERE,
  mspace: [...MATH_EVERYWHERE, 'depth', 'height', 'width'],
  msqrt: MATH_EVERYWHERE,
  mstyle: MATH_EVERYWHERE,
  msub: MATH_EVERYWHERE,
  msubsup: MATH_EVERYWHERE,
  msup: MATH_EVERYWHERE,
  mtable: [
    ...MATH_EVERYWHERE,
    ...['align', 'columnalign', 'columnlines', 'columnspacing', 'frame', 'framespacing', 'rowalign', 'rowlines'],
    ...['rowspacing', 'width'],
  ],
  mtd: [...MATH_EVERYWHERE, 'columnalign', 'columnspan', 'rowalign', 'rowspan'],
  mtext: MATH_EVERYWHERE,
  mtr: [...MATH_EVERYWHERE, 'columnalign', 'rowalign'],
  munder: overUnder,
  munderover: overUnder,
  semantics: MATH_EVERYWHERE,
} as const

export const CONTENT: AllowList = {
  elements: new Map([SECTIONS, PHRASES, EMBEDDED, INTERACTIVE, MATH].flatMap((group) => Object.entries(group))),
  everywhere: EVERYWHERE,
  hasData: true,
}

/** Returns an allow list of some elements of articles, with their attributes. */
export const partOfContent = (names: readonly string[]): AllowList => ({
  ...CONTENT,
  elements: new Map([...CONTENT.elements].filter(([name]) => names.includes(name))),
})

/** A title is shown in headings and links, so only a few phrase elements are allowed. */
export const TITLE: AllowList = {
  elements: new Map([
    ['a', ['href', 'title']],
    ['abbr', ['title']],
    ['acronym', ['title']],
    ['b', []],
    ['blockquote', ['cite']],
    ['cite', []],
    ['code', []],
    ['del', ['datetime']],
    ['em', []],
    ['i', []],
    ['q', ['cite']],
    ['s', []],
    ['strike', []],
    ['strong', []],
  ]),
  everywhere: new Set(),
  hasData: false,
}

/** Attributes that contain an address (HTML, index of attributes: valid URL; `usemap`: a fragment). */
export const ADDRESSES: ReadonlySet<string> = new Set([
  ...['cite', 'data', 'href', 'longdesc', 'poster', 'src', 'usemap'],
])

/** Returns the allowed attributes of an element; undefined when the element is not listed. `name` is in lower case. */
export const attributesOf = ({ elements }: AllowList, name: string): readonly string[] | undefined => elements.get(name)
