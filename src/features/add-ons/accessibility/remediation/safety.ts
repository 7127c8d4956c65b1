/** Limits the items of authors who may not write unfiltered HTML: nothing that runs a script. */
import { isSafeAddress } from '../../../../render/filter/addresses.ts'
import { filterContent } from '../../../../render/filter/filter.ts'
import { safeStyle } from '../../../../render/filter/styles.ts'
import { type Child, type Element, elementsBelow, isElement, nodesOf, outerHtml, tree } from './page-tree.ts'

/** Attributes that hold words, states and references to other elements, with what a reader of a screen reads among them. */
const HARMLESS: ReadonlySet<string> = new Set(
  `abbr accesskey alt autocomplete autofocus checked class colspan cols controls datetime dir disabled enterkeyhint for
  headers height hidden id inert inputmode kind label lang list loading loop max maxlength media min minlength multiple muted name
  open pattern placeholder readonly rel required reversed role rows rowspan scope selected size span spellcheck start step
  summary tabindex title translate value width`.split(/\s+/),
)
/** Elements whose attributes decide which files are loaded, run or submitted. */
const CLOSED: ReadonlySet<string> = new Set(
  'base embed form frame iframe link meta object script style template'.split(' '),
)
const WITH_SOURCE: ReadonlySet<string> = new Set(['audio', 'img', 'source', 'track', 'video'])

/** Whether an author without the right may change attributes of the element. */
export const isOpenToAll = ({ tagName }: Element): boolean => !CLOSED.has(tagName)

/** Whether the attribute says how a phone scales the page. */
export const isZoom = ({ tagName, attrs }: Element, name: string): boolean =>
  tagName === 'meta' &&
  name === 'content' &&
  attrs.some((one) => one.name === 'name' && one.value.toLowerCase() === 'viewport') &&
  !attrs.some((one) => one.name === 'http-equiv')

/** Whether the attribute only names or describes its element, as the title of a frame does. */
export const isLabel = (name: string): boolean => name === 'title' || name === 'lang' || name.startsWith('aria-')

/** The value to write; undefined: the attribute could run a script. */
export function safeAttribute(element: Element, name: string, value: string): string | undefined {
  const { tagName } = element
  if (isZoom(element, name)) return value
  if (HARMLESS.has(name) || /^(?:aria|data)-[\w.-]+$/.test(name)) return value
  if (name === 'style') return safeStyle(value)
  const mayHoldAddress =
    name === 'cite' || (name === 'href' && tagName === 'a') || (name === 'src' && WITH_SOURCE.has(tagName))
  return mayHoldAddress && isSafeAddress(value) ? value : undefined
}

/** HTML as authors without the right may write it; empty where a filter would leave the text of a script to read. */
export const safeHtml = (piece: string): string => (/<(?:script|style)[\s/>]/i.test(piece) ? '' : filterContent(piece))

/** Whether nodes have a script, a frame, a handler or anything else beyond the harmless that the element does not have already. */
export function bringsActiveParts(before: Element, nodes: readonly Child[]): boolean {
  const known = activeParts([before])
  const isNew = ([part, count]: readonly [string, number]) => count > (known.get(part) ?? 0)
  // A browser parses the written nodes again, perhaps to another tree.
  const asRead = nodesOf(nodes.map((node) => (isElement(node) ? outerHtml(node) : '')).join(''), before)
  return [nodes, asRead].some((list) => [...activeParts(list)].some(isNew))
}

/** Elements that change attributes of others when time passes. */
const ANIMATED = /^(?:set|animate\w*)$/i

function activeParts(nodes: readonly Child[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (part: string) => counts.set(part, (counts.get(part) ?? 0) + 1)
  for (const element of nodes.filter(isElement).flatMap((node) => [node, ...elementsBelow(node)])) {
    const { tagName, attrs } = element
    const isClosed = !isOpenToAll(element) || ANIMATED.test(tagName)
    const texts = element.childNodes.map((node) => (tree.isTextNode(node) ? node.value : ''))
    if (isClosed) add(JSON.stringify([tagName, ...texts]))
    // A template has its nodes beside the tree.
    if ('content' in element) add(outerHtml(element))
    for (const { name, value } of attrs) {
      if (isClosed || safeAttribute(element, name, value) !== value) add(JSON.stringify([tagName, name, value]))
    }
  }
  return counts
}

/** Names that the HTML standard lets a serializer write. */
export const isAttributeName = (name: string): boolean => /^[^\s"'<>/=\p{Cc}]{1,128}$/u.test(name)

const RULE = /([^{}]+)\{([^{}]*)\}/g

/** Rules without at-rules and nesting: a selector, and declarations as style attributes may have them. */
export function safeRules(css: string): string | undefined {
  if (/[<@\\]|\/\*/.test(css) || css.replace(RULE, '').trim() !== '') return undefined
  return [...css.matchAll(RULE)]
    .map(([, selector = '', declarations = '']) => `${selector.trim()} { ${safeStyle(declarations)} }`)
    .join('\n')
}
