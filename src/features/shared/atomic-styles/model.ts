/**
 * Styles of the new elements, as style sheets. A value of a style says what kind it is; from the kinds that are known a
 * declaration is made. What css-tree does not know as a valid value of its property is left out, and what is kept is
 * written anew from the parsed form: no text of a client reaches a style sheet as it was sent.
 */
import type { CssNode, Declaration } from 'css-tree'
import type { Context } from '../../../core/declare/context.ts'
import { headerUrl, type ResponseHeaders } from '../../../core/declare/result.ts'
import { readStyleSheet, type StyleKey, type StyleSheet, writeStyleSheet } from '../../builder/styles/model.ts'
import { isObject } from '../elements/model.ts'

export interface StyleVariant {
  readonly meta: { readonly breakpoint: string; readonly state: string | null }
  readonly props: unknown
  readonly custom_css?: { readonly raw: string } | null
}

export interface StyleDefinition {
  readonly id: string
  readonly label: string
  readonly variants: readonly StyleVariant[]
}

/** Loaded with the first style sheet: its tables take a while, and most requests need none of it. */
const loadCss = () => import('css-tree')
export type Css = Awaited<ReturnType<typeof loadCss>>
export { loadCss }

// ---------------------------------------------------------------- values from outside

const maxText = 512
const maxUrl = 2048

/** What no value of a style holds: ends of declarations and rules, escapes, comments, scripts. */
const unsafe = /[;{}<>\\\p{Cc}]|\/\*|\*\/|@import|@charset|expression\s*\(|(?:javascript|vbscript|data)\s*:/iu

const isSafeText = (text: string) => text.length <= maxText && !unsafe.test(text)

/** `https:`, `http:` or below the site. */
export const isSafeUrl = (text: string) =>
  text.length <= maxUrl && /^(?:https?:\/\/|\/(?!\/)|$)/i.test(text) && !/[<>"'\\\p{Cc}\s]/u.test(text)

/** True when no text in the value could end its declaration. A second line of defence: style sheets are written anew. */
export function isSafeStyleValue(value: unknown): boolean {
  if (typeof value === 'string') return isSafeText(value)
  if (Array.isArray(value)) return value.every(isSafeStyleValue)
  if (!isObject(value)) return true
  if (value['$$type'] === 'url') return typeof value['value'] === 'string' && isSafeUrl(value['value'])
  return Object.entries(value).every(([name, inner]) => isSafeText(name) && isSafeStyleValue(inner))
}

// ---------------------------------------------------------------- from a kind of value to text

/** The value of a variable of the kit; undefined for one that is gone. */
export type VariableValue = (id: string) => string | undefined

type Parts = readonly (string | undefined)[]

const joined = (parts: Parts, by = ' '): string | undefined =>
  parts.some((part) => part === undefined) ? undefined : parts.join(by)

/** Undefined: nothing that a style sheet can hold. */
function textOf(value: unknown, variable: VariableValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (!isObject(value)) return undefined
  const { $$type: kind, value: inner } = value
  const text = (one: unknown) => textOf(one, variable)
  if (typeof kind !== 'string') return undefined
  if (kind.startsWith('global-') && kind.endsWith('-variable'))
    return typeof inner === 'string' ? variable(inner) : undefined
  if (typeof inner === 'string' || typeof inner === 'number') return String(inner)
  if (Array.isArray(inner)) return inner.length === 0 ? undefined : joined(inner.map(text), ', ')
  if (!isObject(inner)) return undefined
  if (kind === 'size') return sizeText(inner)
  if (kind === 'stroke') return joined([text(inner['width']), text(inner['color'])])
  if (kind === 'object-position') return joined([text(inner['x']), text(inner['y'])])
  if (kind === 'layout-direction') return joined([text(inner['row']), text(inner['column'])])
  if (kind === 'shadow') {
    const { hOffset, vOffset, blur, spread, color, position } = inner
    const inset = position === null || position === undefined ? '' : text(position)
    return joined([...[hOffset, vOffset, blur, spread, color].map(text), inset])?.trim()
  }
  return undefined
}

function sizeText({ size, unit }: { readonly [name: string]: unknown }): string | undefined {
  if (unit === 'auto') return 'auto'
  if (unit === 'custom') return typeof size === 'string' ? size : undefined
  if (typeof size !== 'number' || typeof unit !== 'string' || !/^(?:[a-z]{1,6}|%)$/i.test(unit)) return undefined
  return `${size}${unit}`
}

/** Sides and corners, each a declaration of its own. */
const sides: { readonly [kind: string]: (property: string, side: string) => string } = {
  dimensions: (property, side) => `${property}-${side}`,
  'border-width': (_, side) => `border-${side}-width`,
  'border-radius': (_, side) => `border-${side}-radius`,
}

export type StyleText = readonly [property: string, text: string]

/** The declarations that a property of a style stands for, not looked at yet. */
function* declarationsOf(property: string, value: unknown, variable: VariableValue): Generator<StyleText> {
  const inner = isObject(value) ? value['value'] : undefined
  const kind = isObject(value) && typeof value['$$type'] === 'string' ? value['$$type'] : ''
  const sideOf = Object.hasOwn(sides, kind) ? sides[kind] : undefined
  if (sideOf && isObject(inner)) {
    for (const [side, one] of Object.entries(inner)) yield* declarationsOf(sideOf(property, side), one, variable)
    return
  }
  if (kind === 'background' && isObject(inner)) {
    yield* declarationsOf('background-color', inner['color'], variable)
    return
  }
  const text = textOf(value, variable)
  if (text !== undefined) yield [property, text]
}

// ---------------------------------------------------------------- declarations

/** The value as css-tree writes it; undefined when it is no value of this property, or not harmless. */
export function cleanValue(css: Css, property: string, text: string): string | undefined {
  if (text.length > maxUrl || !/^[a-zA-Z-]{1,64}$/.test(property)) return undefined
  const value = parsedValue(css, text)
  if (!value) return undefined
  let isHarmless = true
  let usesVariables = false
  css.walk(value, (node) => {
    if (node.type === 'Raw' || (node.type === 'Url' && !isSafeUrl(node.value))) isHarmless = false
    if (node.type === 'Function' && node.name.toLowerCase() === 'var') usesVariables = true
  })
  if (!isHarmless) return undefined
  // css-tree does not match values with variables: their parsed form has to do.
  if (!usesVariables && css.lexer.matchProperty(property, value).error) return undefined
  const clean = css.generate(value)
  return unsafe.test(clean) ? undefined : clean
}

function parsedValue(css: Css, text: string): CssNode | undefined {
  try {
    return css.parse(text, { context: 'value' })
  } catch {
    return undefined
  }
}

/** What of free CSS is a declaration with a valid value. */
function* customDeclarations(css: Css, raw: string): Generator<StyleText> {
  const parsed = css.parse(decoded(raw), { context: 'declarationList', parseValue: false })
  const found: Declaration[] = []
  css.walk(parsed, (node: CssNode) => {
    if (node.type === 'Declaration') found.push(node)
  })
  for (const { property, value } of found) {
    if (value.type === 'Raw') yield [property, value.value]
  }
}

function decoded(raw: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(raw), (sign) => sign.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** All declarations of a variant, clean. */
export function variantDeclarations(
  css: Css,
  { props, custom_css: custom }: StyleVariant,
  variable: VariableValue,
): StyleText[] {
  const own = isObject(props)
    ? Object.entries(props).flatMap(([name, value]) => [...declarationsOf(name, value, variable)])
    : []
  const free = typeof custom?.raw === 'string' ? [...customDeclarations(css, custom.raw)] : []
  return [...own, ...free].flatMap(([property, text]): StyleText[] => {
    const clean = cleanValue(css, property, text)
    return clean === undefined ? [] : [[property.toLowerCase(), clean]]
  })
}

// ---------------------------------------------------------------- style sheets

/** Screens by name, from those that hold for all to the narrowest. */
const screens: readonly (readonly [breakpoint: string, query: string | undefined])[] = [
  ['desktop', undefined],
  ['widescreen', '(min-width:2400px)'],
  ['laptop', '(max-width:1366px)'],
  ['tablet_extra', '(max-width:1200px)'],
  ['tablet', '(max-width:1024px)'],
  ['mobile_extra', '(max-width:880px)'],
  ['mobile', '(max-width:767px)'],
]

/** One rule with declarations for one kind of screen. */
export interface StyleRule {
  readonly breakpoint: string
  readonly selector: string
  readonly declarations: readonly StyleText[]
}

export function styleSheet(rules: readonly StyleRule[]): string {
  const parts = screens.map(([name, query]) => {
    const own = rules.filter(({ breakpoint, declarations }) => breakpoint === name && declarations.length > 0)
    const text = own.map(ruleText).join('')
    return text === '' || query === undefined ? text : `@media${query}{${text}}`
  })
  return parts.join('')
}

const ruleText = ({ selector, declarations }: StyleRule) =>
  `${selector}{${declarations.map(([property, value]) => `${property}:${value}`).join(';')}}`

const isClassName = (name: string) => /^-?[a-zA-Z_][\w-]{0,127}$/.test(name)

/** The rules of a style, for elements with the class `name`. */
export function rulesOf(css: Css, { variants }: StyleDefinition, name: string, variable: VariableValue): StyleRule[] {
  if (!isClassName(name) || !Array.isArray(variants)) return []
  return variants.filter(isVariant).map((variant) => ({
    breakpoint: variant.meta.breakpoint,
    selector: `.${name}${states.get(variant.meta.state) ?? ''}`,
    declarations: variantDeclarations(css, variant, variable),
  }))
}

const pseudoClasses = ['hover', 'active', 'focus', 'focus-visible', 'checked']

const states: ReadonlyMap<unknown, string> = new Map([
  [null, ''],
  ['e--selected', '.e--selected'],
  ...pseudoClasses.map((name): [string, string] => [name, `:${name}`]),
])

/** Styles of elements come as they were stored: what has an unknown state must not hold always. */
const isVariant = (variant: unknown): variant is StyleVariant =>
  isObject(variant) && isObject(variant['meta']) && states.has(variant['meta']['state'])

/**
 * A header that leads to the style sheet of an answer: `Link: <...>; rel="stylesheet"`. The sheet is made when somebody
 * asks for the first time since it was forgotten. Without it the answer stands all the same, so a failure is only logged.
 */
export async function sheetHeaders(
  context: Pick<Context, 'storage' | 'settings' | 'app' | 'incoming'>,
  key: StyleKey,
  rules: (css: Css) => readonly StyleRule[],
): Promise<ResponseHeaders> {
  const kept = await readStyleSheet(context, key)
  if (kept) return linkTo(kept)
  if (context.incoming.method === 'HEAD') return {}
  const text = styleSheet(rules(await loadCss()))
  if (text === '') return {}
  try {
    return linkTo(await writeStyleSheet(context, key, text))
  } catch (error) {
    context.app.log.error('a style sheet was not written', { id: crypto.randomUUID(), error })
    return {}
  }
}

const linkTo = ({ url, version }: StyleSheet): ResponseHeaders => ({
  Link: `<${headerUrl(`${url}?ver=${version}`)}>; rel="stylesheet"`,
})
