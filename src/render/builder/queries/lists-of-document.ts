/** Finds the lists of a document that have pages, and those that a filter of the document belongs to. */

import { readElement } from '../document/element.ts'
import { limits } from '../document/limits.ts'
import { nameOf, ownValue, textOf } from '../document/values.ts'
import type { DocumentRecord } from '../records/documents.ts'

interface DocumentLists {
  /** The ids of the lists of posts. */
  readonly lists: ReadonlySet<string>
  /** How many of them have links to other pages. */
  readonly paged: number
  /** The ids that filters name. */
  readonly filtered: ReadonlySet<string>
}

const LISTS: ReadonlySet<string> = new Set(['posts', 'archive-posts', 'loop-grid', 'portfolio'])

/** Elements are parsed once, so their list names the document. */
const found = new WeakMap<readonly unknown[], DocumentLists>()

export function listsOf({ elements }: Pick<DocumentRecord, 'elements'>): DocumentLists {
  const known = found.get(elements)
  if (known) return known
  const read = readLists(elements)
  found.set(elements, read)
  return read
}

function readLists(elements: readonly unknown[]): DocumentLists {
  const [lists, filtered] = [new Set<string>(), new Set<string>()]
  let paged = 0
  const stack = [...elements]
  for (let left = limits.elements; stack.length > 0 && left > 0; left--) {
    const element = readElement(stack.pop())
    if (!element) continue
    const { widgetType, settings, id } = element
    if (LISTS.has(widgetType)) {
      lists.add(id)
      if (textOf(ownValue(settings, 'pagination_type')) !== '') paged++
    }
    if (widgetType === 'portfolio' && ownValue(settings, 'show_filter_bar') === 'yes') filtered.add(id)
    if (widgetType === 'taxonomy-filter') filtered.add(nameOf(ownValue(settings, 'selected_element')))
    stack.push(...element.children)
  }
  return { lists, paged, filtered }
}
