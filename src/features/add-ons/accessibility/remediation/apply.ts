/** Applies the items of a page to its HTML, and says of each what became of it. */
import { CHANGES, type Content, type Effect } from './changes.ts'
import { type Element, isAttached, isElement, type PageTree, type Parent, parsePage } from './page-tree.ts'

export interface AppliedItem {
  readonly id: number
  /** The stored members: `type`, `xpath`, and those that depend on the type. */
  readonly content: { readonly [member: string]: unknown }
  /** Whether the author may write unfiltered HTML. */
  readonly isTrusted: boolean
}

/** The outcome of an item. */
export interface RemediationOutcome {
  readonly id: number
  /**
   * `applied`: the page has changed. `unchanged`: it had the result already. `stale`: the item leads to no element, or what it
   * replaces is not there. `refused`: it could run a script, and its author may not write unfiltered HTML. `invalid`: the item has
   * no known type or action, or lacks a member.
   */
  readonly outcome: 'applied' | 'unchanged' | 'stale' | 'refused' | 'invalid'
  /** In words, where the outcome does not say all. */
  readonly reason?: string
  /** Other items that change the same part of the same element, or remove it. The last one decides what the page shows. */
  readonly conflicts: readonly number[]
}

interface Applied {
  readonly html: string
  readonly outcomes: readonly RemediationOutcome[]
}

export interface ApplyOptions {
  /** True: no item brings in what runs a script, whoever wrote it. */
  readonly isSealed?: boolean
  /** True: the HTML is a piece of the page, so places in the page say nothing about it. */
  readonly isFragment?: boolean
}

export function applyItems(
  source: string,
  items: readonly AppliedItem[],
  { isSealed = false, isFragment = false }: ApplyOptions = {},
): Applied {
  const page = parsePage(source)
  if (typeof page === 'string') {
    return { html: source, outcomes: items.map(({ id }) => ({ id, outcome: 'invalid', reason: page, conflicts: [] })) }
  }
  const claims = new Claims()
  // All are looked up before the first change: positions count in the page as it came.
  const located = items
    .map((item) => ({ item, content: contentOf(item.content) }))
    .map((one) => ({
      ...one,
      found: locate(page, one.content, isFragment),
    }))
  const drafts = located.map(({ item, content, found }): Draft => {
    if (found.elements.length === 0) return { id: item.id, outcome: 'stale', reason: found.reason }
    const effects = found.elements.map((target) => {
      if (!isAttached(target)) return claims.lost(item.id, target)
      const change = Object.hasOwn(CHANGES, content.type) ? CHANGES[content.type] : undefined
      const effect = change?.({ target, content, isTrusted: item.isTrusted, isSealed, page }) ?? unknownType
      if (effect.kind === 'changed') claims.add(item.id, target, effect.touched)
      return effect
    })
    return { id: item.id, ...summary(effects) }
  })
  const outcomes = drafts.map((draft) => ({ ...draft, conflicts: claims.conflictsOf(draft.id) }))
  const isChanged = drafts.some(({ outcome }) => outcome === 'applied')
  return { html: isChanged ? page.toHtml() : source, outcomes }
}

type Draft = Omit<RemediationOutcome, 'conflicts'>

const unknownType: Effect = { kind: 'invalid', reason: 'there is no such type' }

/** One change of several makes an item an applied one; otherwise the first effect says why not. */
function summary(effects: readonly Effect[]): Omit<Draft, 'id'> {
  const [first] = effects
  if (!first || effects.some(({ kind }) => kind === 'changed')) return { outcome: 'applied' }
  const { kind, reason } = first as Exclude<Effect, { readonly kind: 'changed' }>
  return { outcome: kind === 'missing' ? 'stale' : kind, reason }
}

function contentOf(members: AppliedItem['content']): Content {
  const text = (member: string): string | undefined => {
    const value = Object.hasOwn(members, member) ? members[member] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return { type: text('type')?.toUpperCase() ?? '', action: text('action')?.toLowerCase() ?? '', text }
}

// ---------------------------------------------------------------- places

interface Located {
  readonly elements: readonly Element[]
  readonly reason: string
}

/**
 * Finds the element by its XPath; where that leads to nothing, by its HTML (`find`), inside the parent if one is named.
 * For a replacement `find` is the replaced HTML. Rules with selectors need no element.
 */
function locate(page: PageTree, { type, text }: Content, isFragment: boolean): Located {
  if (type === 'STYLES' && text('rule')?.includes('{')) {
    return isFragment
      ? { elements: [], reason: 'a piece of a page has no sheet' }
      : { elements: [page.styleHome], reason: '' }
  }
  const written = text('xpath')?.trim() ?? ''
  const xpath = isFragment && namesPlace(written) ? '' : written
  const byPath = xpath === '' ? { elements: [] } : page.find(xpath)
  if (byPath.elements.length > 0) return { elements: byPath.elements, reason: '' }
  const snippet = type === 'REPLACE' ? undefined : text('find')
  const byHtml = snippet === undefined ? [] : page.findByHtml(snippet, parentOf(page, text))
  const problem = 'problem' in byPath ? byPath.problem : undefined
  return { elements: byHtml.slice(0, 1), reason: problem ?? 'nothing in the page is addressed by it' }
}

/** A path from the root, or with a position: it leads to another element in a piece of the page. */
const namesPlace = (xpath: string): boolean =>
  !xpath.startsWith('//') || /\/(?:html|head|body)\b|\[\s*\d|\b(?:position|last|count)\s*\(/.test(xpath)

function parentOf(page: PageTree, text: Content['text']): Parent | undefined {
  const xpath = text('parentXPath')?.trim()
  const byPath = xpath ? page.find(xpath).elements[0] : undefined
  const snippet = text('parentFind')
  return byPath ?? (snippet === undefined ? undefined : page.findByHtml(snippet)[0])
}

// ---------------------------------------------------------------- conflicts

/** Which items changed which part of which element. */
class Claims {
  readonly #parts = new Map<Element, Map<string, number[]>>()
  readonly #conflicts = new Map<number, Set<number>>()

  add(id: number, element: Element, part: string): void {
    const parts = this.#parts.get(element) ?? new Map<string, number[]>()
    this.#parts.set(element, parts)
    // Sheets and neighbours add up.
    const earlier = part.startsWith('attribute')
      ? (parts.get(part) ?? [])
      : part === 'element'
        ? [...parts.values()].flat()
        : []
    for (const other of earlier) this.#pair(id, other)
    parts.set(part, [...(parts.get(part) ?? []), id])
  }

  /** The element was taken out of the page by an earlier item, alone or with one around it. */
  lost(id: number, element: Element): Effect {
    for (let node: Parent | null = element; node && isElement(node); node = node.parentNode) {
      for (const other of this.#parts.get(node)?.get('element') ?? []) this.#pair(id, other)
    }
    return { kind: 'missing', reason: 'another item has removed the element' }
  }

  conflictsOf(id: number): readonly number[] {
    return [...(this.#conflicts.get(id) ?? [])].sort((a, b) => a - b)
  }

  #pair(one: number, other: number): void {
    if (one === other) return
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const known = this.#conflicts.get(from) ?? new Set()
      this.#conflicts.set(from, known.add(to))
    }
  }
}
