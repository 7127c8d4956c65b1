/** Matches selectors with the elements of a page at rest: none is hovered, focused or visited. */

import type { AnPlusB, CssNode, Nth, Selector, SelectorList } from 'css-tree'
import { lookupTable } from '../../../../../contract/lookup-table.ts'
import {
  attributeOf,
  childrenOf,
  type Element,
  elementsBelow,
  hasAttribute,
  isText,
  parentOf,
  wordsOf,
} from '../page/dom.ts'

type Test = (element: Element) => boolean

/** A compound with the combinator before it. */
interface Step {
  readonly combinator: string
  readonly tests: readonly Test[]
}

export interface CompiledSelector {
  readonly steps: readonly Step[]
  readonly specificity: number
  /** `before` or `after`. */
  readonly pseudo: string | undefined
  /** Tells which elements may match: the `#id`, the `.class` or the name of the last compound. */
  readonly key: string
}

// ---------------------------------------------------------------- compilation

/** Returns undefined for a selector that no element of a page at rest matches, or that is not known. */
export function compileSelector(selector: Selector): CompiledSelector | undefined {
  const steps: { combinator: string; tests: Test[] }[] = [{ combinator: ' ', tests: [] }]
  let specificity = 0
  let pseudo: string | undefined
  let key = '*'
  for (const node of selector.children) {
    if (node.type === 'Combinator') {
      steps.push({ combinator: node.name, tests: [] })
      key = '*'
      continue
    }
    if (node.type === 'PseudoElementSelector' || isOldPseudoElement(node)) {
      pseudo = node.name
      if (pseudo !== 'before' && pseudo !== 'after') return undefined
      specificity += 1
      continue
    }
    const part = compilePart(node)
    if (!part) return undefined
    steps.at(-1)?.tests.push(part.test)
    specificity += part.specificity
    if (part.key !== undefined && rankOf(part.key) > rankOf(key)) key = part.key
  }
  return { steps, specificity, pseudo, key }
}

const isOldPseudoElement = (node: CssNode): node is Extract<CssNode, { type: 'PseudoClassSelector' }> =>
  node.type === 'PseudoClassSelector' && (node.name === 'before' || node.name === 'after')

const rankOf = (key: string): number => (key === '*' ? 0 : key.startsWith('#') ? 3 : key.startsWith('.') ? 2 : 1)

interface Part {
  readonly test: Test
  readonly specificity: number
  readonly key?: string
}

const idWeight = 1_000_000
const classWeight = 1000

function compilePart(node: CssNode): Part | undefined {
  switch (node.type) {
    case 'TypeSelector':
      return typePart(node.name.replace(/^.*\|/, ''))
    case 'ClassSelector':
      return {
        test: (element) => wordsOf(element, 'class').includes(node.name),
        specificity: classWeight,
        key: `.${node.name}`,
      }
    case 'IdSelector':
      return {
        test: (element) => attributeOf(element, 'id') === node.name,
        specificity: idWeight,
        key: `#${node.name}`,
      }
    case 'AttributeSelector': {
      const value = node.value?.type === 'String' ? node.value.value : node.value?.name
      const test = attributeTest(node.name.name.toLowerCase(), node.matcher, value, node.flags)
      return test && { test, specificity: classWeight }
    }
    case 'PseudoClassSelector':
      return pseudoPart(node.name.toLowerCase(), node.children?.first ?? undefined)
    default:
      return undefined
  }
}

function typePart(name: string): Part {
  if (name === '*') return { test: () => true, specificity: 0 }
  const wanted = name.toLowerCase()
  return { test: ({ tagName }) => tagName.toLowerCase() === wanted, specificity: 1, key: wanted }
}

function attributeTest(
  name: string,
  matcher: string | null,
  value: string | undefined,
  flags: string | null,
): Test | undefined {
  if (matcher === null || value === undefined) return (element) => hasAttribute(element, name)
  const fold = (text: string) => (flags === 'i' || name === 'type' ? text.toLowerCase() : text)
  const wanted = fold(value)
  const tests: { readonly [matcher: string]: (own: string) => boolean } = lookupTable({
    '=': (own) => own === wanted,
    '~=': (own) => own.split(/\s+/).includes(wanted),
    '|=': (own) => own === wanted || own.startsWith(`${wanted}-`),
    '^=': (own) => wanted !== '' && own.startsWith(wanted),
    '$=': (own) => wanted !== '' && own.endsWith(wanted),
    '*=': (own) => wanted !== '' && own.includes(wanted),
  })
  const test = tests[matcher]
  return (
    test &&
    ((element) => {
      const own = attributeOf(element, name)
      return own !== undefined && test(fold(own))
    })
  )
}

// ---------------------------------------------------------------- pseudo-classes

const FIELDS: ReadonlySet<string> = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'option', 'optgroup'])
const isLink: Test = (element) =>
  (element.tagName === 'a' || element.tagName === 'area') && hasAttribute(element, 'href')
const isDisabled: Test = (element) => FIELDS.has(element.tagName) && hasAttribute(element, 'disabled')

const siblings = (element: Element): readonly Element[] => {
  const { parentNode } = element
  return parentNode ? childrenOf(parentNode) : [element]
}
const sameType = (element: Element): readonly Element[] =>
  siblings(element).filter(({ tagName }) => tagName === element.tagName)

const SIMPLE = lookupTable<{ readonly [name: string]: Test }>({
  root: ({ tagName }) => tagName === 'html',
  link: isLink,
  'any-link': isLink,
  disabled: isDisabled,
  enabled: (element) => FIELDS.has(element.tagName) && !isDisabled(element),
  checked: (element) => hasAttribute(element, 'checked') || hasAttribute(element, 'selected'),
  required: (element) => hasAttribute(element, 'required'),
  optional: (element) => FIELDS.has(element.tagName) && !hasAttribute(element, 'required'),
  'read-only': (element) => !/^(?:input|textarea)$/.test(element.tagName) || hasAttribute(element, 'readonly'),
  open: (element) => hasAttribute(element, 'open'),
  empty: (element) => element.childNodes.every((node) => !('tagName' in node) && !(isText(node) && node.value !== '')),
  'first-child': (element) => siblings(element)[0] === element,
  'last-child': (element) => siblings(element).at(-1) === element,
  'only-child': (element) => siblings(element).length === 1,
  'first-of-type': (element) => sameType(element)[0] === element,
  'last-of-type': (element) => sameType(element).at(-1) === element,
  'only-of-type': (element) => sameType(element).length === 1,
})

function pseudoPart(name: string, argument: CssNode | undefined): Part | undefined {
  const simple = SIMPLE[name]
  if (simple) return { test: simple, specificity: classWeight }
  if (name === 'is' || name === 'where' || name === 'matches') return listPart(name, argument)
  if (name === 'not') return notPart(argument)
  if (name === 'has') return hasPart(argument)
  if (name.startsWith('nth-') && argument?.type === 'Nth') return nthPart(name, argument)
  return undefined
}

const selectorsIn = (argument: CssNode | undefined): readonly (CompiledSelector | undefined)[] =>
  argument?.type === 'SelectorList'
    ? [...(argument as SelectorList).children].map((one) =>
        one.type === 'Selector' ? compileSelector(one) : undefined,
      )
    : []

const greatest = (list: readonly (CompiledSelector | undefined)[]): number =>
  Math.max(0, ...list.map((one) => one?.specificity ?? 0))

function listPart(name: string, argument: CssNode | undefined): Part {
  const list = selectorsIn(argument)
  return {
    test: (element) => list.some((one) => one !== undefined && matches(element, one)),
    specificity: name === 'where' ? 0 : greatest(list),
  }
}

/** An element at rest matches no unknown selector, so it matches the negation. */
function notPart(argument: CssNode | undefined): Part {
  const list = selectorsIn(argument)
  return {
    test: (element) => !list.some((one) => one !== undefined && matches(element, one)),
    specificity: greatest(list),
  }
}

function hasPart(argument: CssNode | undefined): Part {
  const list = selectorsIn(argument)
  return {
    test: (element) =>
      list.some((one) => one !== undefined && elementsBelow(element).some((below) => matches(below, one, element))),
    specificity: greatest(list),
  }
}

function nthPart(name: string, { nth, selector }: Nth): Part | undefined {
  const [a, b] = nth.type === 'Identifier' ? (nth.name === 'even' ? [2, 0] : [2, 1]) : coefficients(nth)
  const isFromEnd = name.includes('last')
  const list = selector ? selectorsIn(selector) : undefined
  const among = (element: Element) => {
    const all = name.endsWith('of-type') ? sameType(element) : siblings(element)
    return list ? all.filter((one) => list.some((wanted) => wanted && matches(one, wanted))) : all
  }
  return {
    specificity: classWeight,
    test(element) {
      const all = among(element)
      const at = all.indexOf(element)
      if (at < 0) return false
      const place = isFromEnd ? all.length - at : at + 1
      return a === 0 ? place === b : (place - b) % a === 0 && (place - b) / a >= 0
    },
  }
}

const coefficients = ({ a, b }: AnPlusB): readonly [number, number] => [
  a === null ? 0 : a === '-' ? -1 : a === '+' ? 1 : Number(a),
  Number(b ?? 0),
]

// ---------------------------------------------------------------- matching

/** `scope`: the element at which a relative selector of `:has()` begins. */
export function matches(element: Element, { steps }: CompiledSelector, scope?: Element): boolean {
  return matchesFrom(element, steps, steps.length - 1, scope)
}

function matchesFrom(element: Element, steps: readonly Step[], at: number, scope: Element | undefined): boolean {
  const step = steps[at] as Step
  if (!step.tests.every((test) => test(element))) return false
  if (at === 0) return scope === undefined || step.combinator === ' '
  for (const one of candidates(element, step.combinator)) {
    if (scope !== undefined && at === 1 && (steps[0] as Step).tests.length === 0) {
      if (one === scope) return true
    } else if (matchesFrom(one, steps, at - 1, scope)) return true
  }
  return false
}

function* candidates(element: Element, combinator: string): Generator<Element> {
  const parent = parentOf(element)
  if (combinator === '>') {
    if (parent) yield parent
  } else if (combinator === ' ') {
    for (let one = parent; one; one = parentOf(one)) yield one
  } else {
    const all = siblings(element)
    const before = all.slice(0, all.indexOf(element)).reverse()
    yield* combinator === '+' ? before.slice(0, 1) : before
  }
}
