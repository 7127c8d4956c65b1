/**
 * Styles of atomic elements outside of pages: the sheets that responses link to, and the values of the sheet that older elements
 * share. There css-tree parses each value, drops invalid ones, and writes the rest from the parsed form.
 */

import type { CssNode, Declaration } from 'css-tree'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Context } from '../../core/declare/context.ts'
import { headerUrl, type ResponseHeaders } from '../../core/declare/result.ts'
import { randomId } from '../../core/runtime/crypto.ts'
import { builderRenderOf } from '../../render/builder/assembly/lazy.ts'
import type { StyleGroup } from '../../render/builder/assembly/style-text.ts'
import { readStyleSheet, type StyleKey, type StyleSheet, writeStyleSheet } from '../builder/styles/model.ts'
import { type BuilderElement, isObject } from './elements.ts'

interface StyleVariant {
  readonly meta: { readonly breakpoint: string; readonly state: string | null }
  readonly props: unknown
  readonly custom_css?: { readonly raw: string } | null
}

export interface StyleDefinition {
  readonly id: string
  readonly label: string
  readonly variants: readonly StyleVariant[]
}

/** Loaded with the first style sheet: css-tree is slow to load, and most requests do not need it. */
export const loadCss = () =>
  import('css-tree/dist/csstree.esm').then(({ parse, walk, generate, lexer }) => ({ parse, walk, generate, lexer }))
export type Css = Awaited<ReturnType<typeof loadCss>>

// ---------------------------------------------------------------- values of clients

const maxText = 512
const maxUrl = 2048

/** Values must not contain ends of declarations and rules, escapes, comments or scripts. */
const unsafe = /[;{}<>\\\p{Cc}]|\/\*|\*\/|@import|@charset|expression\s*\(|(?:javascript|vbscript|data)\s*:/iu

const isSafeText = (text: string) => text.length <= maxText && !unsafe.test(text)

/** `https:`, `http:` or a path of the site. */
const isSafeUrl = (text: string) =>
  text.length <= maxUrl && /^(?:https?:\/\/|\/(?!\/)|$)/i.test(text) && !/[<>"'\\\p{Cc}\s]/u.test(text)

/** True when no text in the value could end its declaration. A second line of defence: values are parsed as well. */
export function isSafeStyleValue(value: unknown): boolean {
  if (typeof value === 'string') return isSafeText(value)
  if (Array.isArray(value)) return value.every(isSafeStyleValue)
  if (!isObject(value)) return true
  if (value['$$type'] === 'url') return typeof value['value'] === 'string' && isSafeUrl(value['value'])
  return Object.entries(value).every(([name, inner]) => isSafeText(name) && isSafeStyleValue(inner))
}

// ---------------------------------------------------------------- from typed values to text

/** The value of a variable of the kit; undefined for one that does not exist. */
export type VariableValue = (id: string) => string | undefined

type Parts = readonly (string | undefined)[]

const joined = (parts: Parts, by = ' '): string | undefined =>
  parts.some((part) => part === undefined) ? undefined : parts.join(by)

/** Undefined for a value that CSS cannot express. */
function textOf(value: unknown, variable: VariableValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (!isObject(value)) return undefined
  const { $$type: type, value: inner } = value
  if (typeof type !== 'string') return undefined
  if (type.startsWith('global-') && type.endsWith('-variable'))
    return typeof inner === 'string' ? variable(inner) : undefined
  if (typeof inner === 'string' || typeof inner === 'number') return String(inner)
  const text = (part: unknown) => textOf(part, variable)
  if (Array.isArray(inner)) return inner.length === 0 ? undefined : joined(inner.map(text), ', ')
  return isObject(inner) ? objectText(type, inner, text) : undefined
}

/** Types whose text is that of some members, in order. */
const memberLists: ReadonlyMap<string, readonly string[]> = new Map([
  ['stroke', ['width', 'color']],
  ['object-position', ['x', 'y']],
  ['layout-direction', ['row', 'column']],
])

function objectText(
  type: string,
  inner: BuilderElement,
  text: (part: unknown) => string | undefined,
): string | undefined {
  if (type === 'size') return sizeText(inner)
  if (type === 'shadow') {
    const { hOffset, vOffset, blur, spread, color, position } = inner
    const inset = position === null || position === undefined ? '' : text(position)
    return joined([...[hOffset, vOffset, blur, spread, color].map(text), inset])?.trim()
  }
  const members = memberLists.get(type)
  return members && joined(members.map((name) => text(inner[name])))
}

function sizeText({ size, unit }: { readonly [name: string]: unknown }): string | undefined {
  if (unit === 'auto') return 'auto'
  if (unit === 'custom') return typeof size === 'string' ? size : undefined
  if (typeof size !== 'number' || typeof unit !== 'string' || !/^(?:[a-z]{1,6}|%)$/i.test(unit)) return undefined
  return `${size}${unit}`
}

/** The property of each side or corner, by the type of the value. */
const sides: { readonly [kind: string]: (property: string, side: string) => string } = lookupTable({
  dimensions: (property, side) => `${property}-${side}`,
  'border-width': (_, side) => `border-${side}-width`,
  'border-radius': (_, side) => `border-${side}-radius`,
})

type StyleText = readonly [property: string, text: string]

/** Returns the declarations of one property of a style, not validated yet. */
function* declarationsOf(property: string, value: unknown, variable: VariableValue): Generator<StyleText> {
  const inner = isObject(value) ? value['value'] : undefined
  const kind = isObject(value) && typeof value['$$type'] === 'string' ? value['$$type'] : ''
  const sideOf = Object.hasOwn(sides, kind) ? sides[kind] : undefined
  if (sideOf && isObject(inner)) {
    for (const [side, part] of Object.entries(inner)) yield* declarationsOf(sideOf(property, side), part, variable)
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

/** The value as css-tree writes it; undefined when it is invalid for this property or unsafe. */
export function cleanValue(css: Css, property: string, text: string): string | undefined {
  if (text.length > maxUrl || !/^[a-zA-Z-]{1,64}$/.test(property)) return undefined
  const value = parsedValue(css, text)
  if (!value) return undefined
  let isSafe = true
  let usesVariables = false
  css.walk(value, (node) => {
    if (node.type === 'Raw' || (node.type === 'Url' && !isSafeUrl(node.value))) isSafe = false
    if (node.type === 'Function' && node.name.toLowerCase() === 'var') usesVariables = true
  })
  if (!isSafe) return undefined
  // css-tree cannot match values with variables against a property, so these are only parsed.
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

/** The declarations in free CSS, not validated yet. */
function* customDeclarations(css: Css, raw: string): Generator<StyleText> {
  const parsed = css.parse(decoded(raw), { context: 'declarationList', parseValue: false })
  const declarations: Declaration[] = []
  css.walk(parsed, (node: CssNode) => {
    if (node.type === 'Declaration') declarations.push(node)
  })
  for (const { property, value } of declarations) {
    if (value.type === 'Raw') yield [property, value.value]
  }
}

function decoded(raw: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(raw), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** All valid declarations of a variant. */
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

/** Media queries by breakpoint, from the one for all screens to the narrowest. */
const screens: readonly (readonly [breakpoint: string, query: string | undefined])[] = [
  ['desktop', undefined],
  ['widescreen', '(min-width:2400px)'],
  ['laptop', '(max-width:1366px)'],
  ['tablet_extra', '(max-width:1200px)'],
  ['tablet', '(max-width:1024px)'],
  ['mobile_extra', '(max-width:880px)'],
  ['mobile', '(max-width:767px)'],
]

/** A rule for one breakpoint. */
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

/**
 * A header with the URL of a style sheet: `Link: <...>; rel="stylesheet"`, with the rules that a page with these styles has. The
 * response is complete without it, so a failure is only logged.
 */
export async function sheetHeaders(
  context: Pick<Context, 'storage' | 'settings' | 'app' | 'incoming'>,
  key: StyleKey,
  groups: readonly StyleGroup[],
): Promise<ResponseHeaders> {
  const { storage, settings: site, app, incoming } = context
  if (incoming.method === 'HEAD') return linkTo(await readStyleSheet(context, key))
  try {
    const text = await builderRenderOf(app).styles({ storage, site, now: app.clock() }, groups)
    return linkTo(text === '' ? undefined : await writeStyleSheet(context, key, text))
  } catch (error) {
    app.log.error('a style sheet was not written', { id: randomId(), error })
    return {}
  }
}

const linkTo = (sheet: StyleSheet | undefined): ResponseHeaders =>
  sheet === undefined ? {} : { Link: `<${headerUrl(`${sheet.url}?ver=${sheet.version}`)}>; rel="stylesheet"` }
