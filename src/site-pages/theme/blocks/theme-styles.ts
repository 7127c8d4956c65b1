/** Writes `styles` of the option `theme` as rules: those of the whole page, of elements, and of each block. */

import { isObject, objectOf, ownValue, type RawSettings } from '../../../render/builder/document/values.ts'
import { INNER_FUNCTIONS, STYLE_MEMBERS } from '../../../render/filter/style-properties.ts'
import { isSafeCssValue } from '../../../render/filter/styles.ts'

/** Holds a value of CSS, a preset such as `var:preset|color|moss`, or a reference to another member: `{ ref: 'styles.color.text' }`. */
type ThemeValue = string | number | { readonly ref: string }

/** The same value for all sides, or one for each. */
type Sides = ThemeValue | { readonly [side in 'top' | 'right' | 'bottom' | 'left']?: ThemeValue }

/** Colours, type, spaces and borders. Other members are ignored. */
interface ThemeStyle {
  /** Colours of texts and backgrounds. */
  readonly color?: {
    /** The colour of texts. */
    readonly text?: ThemeValue
    /** The colour behind them. */
    readonly background?: ThemeValue
    /** A gradient behind them. */
    readonly gradient?: ThemeValue
  }
  /** Fonts; each member is the property of CSS with its name. */
  readonly typography?: {
    /** `font-family`: a list, or a preset. */
    readonly fontFamily?: ThemeValue
    /** `font-size`: a length, or a preset. */
    readonly fontSize?: ThemeValue
    /** `font-style`, such as `italic`. */
    readonly fontStyle?: ThemeValue
    /** `font-weight`, such as `700`. */
    readonly fontWeight?: ThemeValue
    /** `letter-spacing`: a length. */
    readonly letterSpacing?: ThemeValue
    /** `line-height`: a number or a length. */
    readonly lineHeight?: ThemeValue
    /** `text-decoration`, such as `none`. */
    readonly textDecoration?: ThemeValue
    /** `text-transform`, such as `uppercase`. */
    readonly textTransform?: ThemeValue
  }
  /** Spaces around, inside and between blocks. */
  readonly spacing?: {
    /** `margin`, for all sides or by side. */
    readonly margin?: Sides
    /** `padding`, for all sides or by side. */
    readonly padding?: Sides
    /** The space between the blocks inside. */
    readonly blockGap?: ThemeValue
  }
  /** The border of all sides. */
  readonly border?: {
    /** `border-color`. */
    readonly color?: ThemeValue
    /** `border-radius`. */
    readonly radius?: ThemeValue
    /** `border-style`, such as `solid`. */
    readonly style?: ThemeValue
    /** `border-width`. */
    readonly width?: ThemeValue
  }
  /** `box-shadow`. */
  readonly shadow?: ThemeValue
}

/** An element, with its states such as `:hover`. */
type ThemeElement = ThemeStyle & { readonly [state in `:${string}`]?: ThemeStyle }

interface ThemeElements {
  /** Elements have these names: `link`, `heading`, `h1` to `h6`, `button`, `caption`, `cite`. */
  readonly elements?: { readonly [name: string]: ThemeElement }
}

/** The member `styles` of a `theme.json` file. */
export interface ThemeStyles extends ThemeStyle, ThemeElements {
  /** Blocks have names such as `core/quote` or `acme/notice`. */
  readonly blocks?: {
    readonly [name: string]: ThemeStyle &
      ThemeElements & { readonly variations?: { readonly [name: string]: ThemeStyle & ThemeElements } }
  }
}

/** The rules of a theme, with neutral class names. */
export interface StyleRules {
  /** The rules of every page. */
  readonly page: string
  /** Rules by the name that a block has in class names. */
  readonly blocks: ReadonlyMap<string, string>
  /** Whether they set colours, which are chosen for a light or a dark page. */
  readonly hasColors: boolean
}

const objectAt = (value: unknown, member: string): RawSettings => objectOf(ownValue(objectOf(value), member))

const maxEntries = 300

/** Throws a TypeError that names the wrong member. */
export function readStyles(theme: { readonly styles?: ThemeStyles }): StyleRules {
  const { styles } = theme
  if (styles === undefined) return { page: '', blocks: new Map(), hasColors: false }
  if (typeof styles !== 'object' || styles === null) throw new TypeError('theme.styles must be an object')
  const writer = new StyleWriter(theme)
  const page = pageRules(styles, writer) + elementRules(styles, { place: 'styles', within: '' }, writer)
  const blocks = new Map<string, string>()
  for (const [name, block] of entriesOf(styles, 'blocks')) {
    const className = /^(?:core\/)?([a-z][a-z0-9-]*(?:\/[a-z][a-z0-9-]*)?)$/.exec(name)?.[1]?.replace('/', '-')
    if (className === undefined)
      throw new TypeError(`theme.styles.blocks must have names like core/quote, not ${JSON.stringify(name)}`)
    blocks.set(className, blockRules(block, className, `styles.blocks.${name}`, writer))
  }
  const all = [page, ...blocks.values()].join('')
  return { page, blocks, hasColors: /[;{](?:color|background(?:-color)?|--site-back|--site-text):/.test(all) }
}

function entriesOf(value: unknown, member: string): readonly (readonly [string, RawSettings])[] {
  const entries = Object.entries(objectAt(value, member))
  if (entries.length > maxEntries) throw new TypeError(`theme.styles.${member} must have at most ${maxEntries} members`)
  return entries.map(([name, entry]) => [name, objectOf(entry)])
}

// ---------------------------------------------------------------- the page

/** The theme of the pages uses variables, so that its header, lists and forms follow. Soft colours are mixed from both. */
function pageRules(styles: ThemeStyles, writer: StyleWriter): string {
  const at = (value: unknown, place: string) => writer.value(value, `styles.${place}`)
  const text = at(styles.color?.text, 'color.text')
  const back = at(styles.color?.background, 'color.background')
  const link = at(styles.elements?.['link']?.color?.text, 'elements.link.color.text')
  const font = at(styles.typography?.fontFamily, 'typography.fontFamily')
  const isColored = text !== undefined || back !== undefined
  const mixed = (part: number) => `color-mix(in srgb,var(--site-text) ${part}%,var(--site-back))`
  const variables = [
    ['--site-text', text],
    ['--site-back', back],
    ['--site-link', link ?? (isColored ? 'var(--site-text)' : undefined)],
    ...(isColored
      ? [
          ['--site-soft', mixed(75)],
          ['--site-line', mixed(20)],
          ['--site-card', mixed(4)],
        ]
      : []),
    ['--site-serif', font],
    ['--site-sans', font],
    ['--cms-gap', at(styles.spacing?.blockGap, 'spacing.blockGap')],
  ]
  const root = variables.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`])).join(';')
  const body = writer.declarations({ ...styles, spacing: {} }, 'styles')
  const main = writer.declarations({ spacing: { padding: styles.spacing?.padding } }, 'styles')
  return rule(':root', root) + rule(':where(body)', body) + rule(':where(body>main)', main)
}

// ---------------------------------------------------------------- elements

const BUTTONS = ':is(.cms-block-button__link,.cms-element-button)'

/** Buttons have the weight of one class, as the rules that they follow; headings win over the titles of the theme. */
const ELEMENTS: ReadonlyMap<string, { readonly page: string; readonly inside: string }> = new Map([
  ['link', { page: ':where(main) a:where(:not([class*=button]))', inside: ' a:where(:not([class*=button]))' }],
  ['heading', { page: ':root :is(h1,h2,h3,h4,h5,h6)', inside: ' :is(h1,h2,h3,h4,h5,h6)' }],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'cite'].map(
    (tag) => [tag, { page: `:root ${tag}`, inside: ` ${tag}` }] as const,
  ),
  ['caption', { page: ':root figcaption', inside: ' figcaption' }],
  ['button', { page: BUTTONS, inside: ` ${BUTTONS}` }],
])

const STATES = [':link', ':any-link', ':visited', ':hover', ':focus', ':focus-visible', ':active']

interface Around {
  readonly place: string
  /** The selector of the block; empty for the page. */
  readonly within: string
}

function elementRules(owner: unknown, { place, within }: Around, writer: StyleWriter): string {
  return [...ELEMENTS]
    .map(([name, selectors]) => {
      const style = objectAt(objectAt(owner, 'elements'), name)
      const selector = within === '' ? selectors.page : within + selectors.inside
      const at = `${place}.elements.${name}`
      return (
        rule(selector, writer.declarations(style, at)) +
        STATES.map((state) =>
          rule(selector + state, writer.declarations(objectAt(style, state), `${at}.${state}`)),
        ).join('')
      )
    })
    .join('')
}

// ---------------------------------------------------------------- blocks

/** Blocks whose styles are those of an element inside. */
const INNER: ReadonlyMap<string, string> = new Map([
  ['button', '.cms-block-button__link'],
  ['table', '.cms-block-table>table'],
  ['image', '.cms-block-image img'],
])

function blockRules(block: RawSettings, className: string, place: string, writer: StyleWriter): string {
  const selector = INNER.get(className) ?? `.cms-block-${className}`
  const outer = `.cms-block-${className}`
  const variations = entriesOf(block, 'variations').map(([name, variation]) => {
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
      throw new TypeError(`theme.${place}.variations must have names like outline`)
    const at = `${place}.variations.${name}`
    const within = `${outer}.is-style-${name}`
    const own = className === 'button' ? `${within}>${selector}` : selector.replace(outer, within)
    return rule(own, writer.declarations(variation, at)) + elementRules(variation, { place: at, within }, writer)
  })
  return (
    rule(selector, writer.declarations(block, place)) +
    elementRules(block, { place, within: outer }, writer) +
    variations.join('')
  )
}

// ---------------------------------------------------------------- declarations

const rule = (selector: string, declarations: string): string =>
  declarations === '' ? '' : `${selector}{${declarations}}`

const SIDES = ['top', 'right', 'bottom', 'left'] as const

const PROPERTIES = [...STYLE_MEMBERS, ['--cms-gap', 'spacing', 'blockGap'] as const]

const maxLength = 300

class StyleWriter {
  readonly #theme: unknown

  constructor(theme: unknown) {
    this.#theme = theme
  }

  declarations(style: unknown, place: string): string {
    const found = PROPERTIES.map(([property, group, member]) =>
      this.#one(property, objectAt(style, group)[member], `${place}.${group}.${member}`),
    )
    const sides = ['padding', 'margin'].flatMap((property) =>
      this.#sides(property, objectAt(style, 'spacing')[property], `${place}.spacing.${property}`),
    )
    const shadow = this.#one('box-shadow', ownValue(objectOf(style), 'shadow'), `${place}.shadow`)
    return [...found, ...sides, shadow].filter((one) => one !== '').join(';')
  }

  #one(property: string, stored: unknown, place: string): string {
    const value = this.value(stored, place)
    return value === undefined ? '' : `${property}:${value}`
  }

  #sides(property: string, stored: unknown, place: string): readonly string[] {
    if (!isObject(stored) || Object.hasOwn(stored, 'ref')) return [this.#one(property, stored, place)]
    return SIDES.map((side) => this.#one(`${property}-${side}`, ownValue(stored, side), `${place}.${side}`))
  }

  /** Returns the value as CSS; undefined for an absent one. The filter of style attributes judges it. */
  value(stored: unknown, place: string, depth = 0): string | undefined {
    if (stored === undefined || stored === null) return undefined
    if (typeof stored === 'object') {
      const ref = ownValue(objectOf(stored), 'ref')
      if (typeof ref !== 'string' || depth > 0) throw wrongValue(stored, place)
      return this.value(valueAt(this.#theme, ref.split('.')), place, depth + 1)
    }
    const value =
      typeof stored === 'number' ? String(stored) : typeof stored === 'string' ? presetOf(stored.trim()) : ''
    if (value === '' && stored === '') return undefined
    if (value.length > maxLength || !isSafeCssValue(value, INNER_FUNCTIONS)) throw wrongValue(stored, place)
    return value
  }
}

const wrongValue = (value: unknown, place: string) =>
  new TypeError(`theme.${place} must be a value of CSS, not ${JSON.stringify(value)}`)

const valueAt = (theme: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, member) => ownValue(objectOf(value), member), theme)

/** `var:preset|color|moss` is the variable of a preset. */
const presetOf = (value: string): string => {
  const [, kind, slug] = /^var:preset\|([a-z-]+)\|([a-z0-9-]+)$/.exec(value) ?? []
  return kind === undefined ? value : `var(--cms--preset--${kind}--${slug})`
}
