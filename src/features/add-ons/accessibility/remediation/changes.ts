/** Applies an item to the element that it addresses, by its type. The order of items is the order of their creation. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import {
  append,
  type Child,
  createElement,
  type Element,
  elementsBelow,
  insertBefore,
  isElement,
  nodesOf,
  outerHtml,
  type PageTree,
  type Parent,
  tree,
} from './page-tree.ts'
import {
  bringsActiveParts,
  isAttributeName,
  isLabel,
  isOpenToAll,
  isZoom,
  safeAttribute,
  safeHtml,
  safeRules,
} from './safety.ts'

/** The members of an item's content as texts; other values are absent. */
export interface Content {
  readonly type: string
  readonly action: string
  readonly text: (member: string) => string | undefined
}

export interface Change {
  readonly target: Element
  readonly content: Content
  /** Whether the author may write unfiltered HTML. */
  readonly isTrusted: boolean
  /** True: trusted authors bring in no scripts either. */
  readonly isSealed: boolean
  readonly page: PageTree
}

/**
 * `unchanged`: the page has the result already. `missing`: the HTML to replace or remove is not there. `refused`: the
 * author may not write it. `invalid`: there is no such action, or a member is missing.
 */
export type Effect =
  | { readonly kind: 'changed'; readonly touched: string }
  | { readonly kind: 'unchanged' | 'missing' | 'refused' | 'invalid'; readonly reason: string }

const changed = (touched: string): Effect => ({ kind: 'changed', touched })
const unchanged = (reason: string): Effect => ({ kind: 'unchanged', reason })
const missing = (reason: string): Effect => ({ kind: 'missing', reason })
const refused: Effect = { kind: 'refused', reason: 'its author may not write unfiltered HTML' }
const sealed: Effect = { kind: 'refused', reason: 'it could run a script' }
const refusal = ({ isTrusted }: Change): Effect => (isTrusted ? sealed : refused)

const mayWriteAnything = ({ isTrusted, isSealed }: Change): boolean => isTrusted && !isSealed
const lacks = (member: string): Effect => ({ kind: 'invalid', reason: `${member} is missing` })
const unknownAction: Effect = { kind: 'invalid', reason: 'there is no such action' }

export const CHANGES: { readonly [type: string]: (change: Change) => Effect } = lookupTable({
  ATTRIBUTE: changeAttribute,
  ELEMENT: changeElement,
  REPLACE: replaceHtml,
  STYLES: changeStyles,
})

// ---------------------------------------------------------------- attributes

function changeAttribute(change: Change): Effect {
  const { action, text } = change.content
  const { target } = change
  const name = text('attribute_name')?.trim().toLowerCase()
  if (name === undefined || !isAttributeName(name)) return lacks('attribute_name')
  const mayChange = mayWriteAnything(change) || isOpenToAll(target) || isLabel(name) || isZoom(target, name)
  if (!mayChange) return refusal(change)
  if (action === 'remove') return removeAttribute(target, name)
  if (action === 'clear') return clearAttribute(target, name)
  if (action !== 'add' && action !== 'update') return unknownAction
  const value = text('attribute_value') ?? ''
  const written = mayWriteAnything(change) ? value : safeAttribute(target, name, value)
  return written === undefined ? refusal(change) : writeAttribute(target, name, written)
}

function removeAttribute(element: Element, name: string): Effect {
  const index = element.attrs.findIndex((attribute) => attribute.name === name)
  if (index < 0) return unchanged(`it has no attribute ${name}`)
  element.attrs.splice(index, 1)
  return changed(`attribute ${name}`)
}

const clearAttribute = (element: Element, name: string): Effect =>
  element.attrs.some((attribute) => attribute.name === name)
    ? writeAttribute(element, name, '')
    : unchanged(`it has no attribute ${name}`)

function writeAttribute(element: Element, name: string, value: string): Effect {
  const known = element.attrs.find((attribute) => attribute.name === name)
  if (known?.value === value) return unchanged(`${name} has the value already`)
  if (known) known.value = value
  else element.attrs.push({ name, value })
  return changed(`attribute ${name}`)
}

// ---------------------------------------------------------------- elements

/** The HTML of an item is its `content`; for children it may be called `child`. */
function withPiece(
  change: Change,
  write: (nodes: readonly Child[]) => Effect,
  context: Parent | null = change.target.parentNode,
): Effect {
  const { text } = change.content
  const piece = text('child') ?? text('content')
  if (piece === undefined) return lacks('content')
  const safe = mayWriteAnything(change) ? piece : safeHtml(piece)
  if (safe.trim() === '' && piece.trim() !== '') return refusal(change)
  return write(nodesOf(safe, context && isElement(context) ? context : change.target))
}

const addInside = (change: Change): Effect =>
  withPiece(
    change,
    (nodes) => {
      append(change.target, nodes)
      return changed('children')
    },
    change.target,
  )

const addBeside = (change: Change, next: Child | undefined): Effect =>
  withPiece(change, (nodes) => {
    const parent = change.target.parentNode
    if (next) insertBefore(next, nodes)
    else if (parent && isElement(parent)) append(parent, nodes)
    return changed('surroundings')
  })

const indexOf = (element: Element): number => element.parentNode?.childNodes.indexOf(element) ?? -1

function replaceWith(element: Element, nodes: readonly Child[]): Effect {
  insertBefore(element, nodes)
  tree.detachNode(element)
  return changed('element')
}

/** `child` is the HTML of a child, or its place: an XPath below the element. */
function removeChild({ target, content: { text }, page }: Change): Effect {
  const wanted = text('child') ?? text('content')
  if (wanted === undefined) return lacks('child')
  const found = wanted.trim().startsWith('<')
    ? page.findByHtml(wanted, target)
    : page.find(`${text('xpath') ?? ''}/${wanted.replace(/^\.?\/+/, '')}`).elements
  const child = found.find((element) => element.parentNode === target) ?? found[0]
  if (!child) return missing('it has no such child')
  tree.detachNode(child)
  return changed('children')
}

const ELEMENT_ACTIONS: { readonly [action: string]: (change: Change) => Effect } = lookupTable({
  add: addInside,
  add_child: addInside,
  add_before: (change) => addBeside(change, change.target),
  add_after: (change) =>
    addBeside(change, tree.getParentNode(change.target)?.childNodes.at(indexOf(change.target) + 1)),
  update: (change) => withPiece(change, (nodes) => replaceWith(change.target, nodes)),
  remove: ({ target }) => {
    tree.detachNode(target)
    return changed('element')
  },
  remove_child: removeChild,
})

function changeElement(change: Change): Effect {
  const { action } = change.content
  const run = Object.hasOwn(ELEMENT_ACTIONS, action) ? ELEMENT_ACTIONS[action] : undefined
  return run ? run(change) : unknownAction
}

// ---------------------------------------------------------------- texts

/** `find` in the HTML of the element becomes `replace`. Authors without the right change texts only, and write no markup. */
function replaceHtml({ target, content: { text }, isTrusted, isSealed }: Change): Effect {
  const find = text('find')
  const replacement = text('replace')
  if (find === undefined || find === '') return lacks('find')
  if (replacement === undefined) return lacks('replace')
  if (!isTrusted) return replaceTexts(target, find, replacement)
  const before = outerHtml(target)
  const after = before.replaceAll(find, () => replacement)
  if (after === before) return missing('find is not in the element')
  const parent = target.parentNode
  const nodes = nodesOf(after, parent && isElement(parent) ? parent : target)
  return isSealed && bringsActiveParts(target, nodes) ? sealed : replaceWith(target, nodes)
}

function replaceTexts(target: Element, find: string, replacement: string): Effect {
  let isChanged = false
  for (const element of [target, ...elementsBelow(target)]) {
    // The content of these elements is code, not text.
    if (element.tagName === 'script' || element.tagName === 'style') continue
    for (const node of element.childNodes) {
      if (!tree.isTextNode(node) || !node.value.includes(find)) continue
      node.value = node.value.replaceAll(find, () => replacement)
      isChanged = true
    }
  }
  return isChanged ? changed('texts') : missing('find is in no text of the element')
}

// ---------------------------------------------------------------- styles

/** `rule` is a list of declarations for the element, or whole rules with selectors for the page. */
function changeStyles(change: Change): Effect {
  const { target } = change
  const { text } = change.content
  const isFree = mayWriteAnything(change)
  const rule = text('rule')?.trim() ?? ''
  if (rule === '') return lacks('rule')
  if (rule.includes('{')) return addRules(change, isFree ? rule : safeRules(rule))
  const declarations = isFree ? rule.replace(/;$/, '') : safeAttribute(target, 'style', rule)
  if (!declarations) return refusal(change)
  const own =
    tree
      .getAttrList(target)
      .find(({ name }) => name === 'style')
      ?.value.trim()
      .replace(/;$/, '') ?? ''
  if (own.endsWith(declarations)) return unchanged('it has the style already')
  return writeAttribute(target, 'style', own === '' ? declarations : `${own}; ${declarations}`)
}

function addRules(change: Change, rules: string | undefined): Effect {
  // The end tag would close the sheet, whoever wrote it.
  if (rules === undefined || /<\/style/i.test(rules)) return refusal(change)
  const sheet = createElement('style', { 'data-remediation': '' })
  tree.insertText(sheet, rules)
  const home = change.page.styleHome
  const [first] = home.childNodes
  // The rules of the page come first. Without a head, the sheet opens the text.
  if (home.tagName === 'head' || !first) append(home, [sheet])
  else insertBefore(first, [sheet])
  return changed('sheet')
}
