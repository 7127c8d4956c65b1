/** Pairs tags for the paragraph rule, and marks elements that separate the text around them. */

import type { Work } from '../typography/signs.ts'
import { QUIET_ELEMENTS } from './elements.ts'
import type { Item } from './items.ts'

/**
 * Choice: an inline element that contains a blank line or a block element counts as a block element. So paragraphs are inside
 * it or around it and never cross its tags. Elements without a closing tag stay inline.
 */
export function matchItems(items: readonly Item[], work: Work): void {
  pairTags(items)
  const partings = countPartings(items, work)
  items.forEach((item, index) => {
    if (item.kind !== 'open' || item.partner === -1) return
    const close = items[item.partner] as Item
    const hasParting = (partings[item.partner] as number) > (partings[index + 1] as number)
    if (hasParting) item.isBlock = close.isBlock = true
    if (hasParting) item.isQuiet = close.isQuiet = false
  })
  markQuiet(items)
}

/** A closing tag matches the nearest open tag of its name; tags opened after that one stay unclosed. */
function pairTags(items: readonly Item[]): void {
  const open: number[] = []
  const openCount = new Map<string, number>()
  items.forEach((item, index) => {
    const { kind, name } = item
    const count = openCount.get(name) ?? 0
    if (kind === 'open') {
      open.push(index)
      openCount.set(name, count + 1)
    } else if (kind === 'close' && count > 0) {
      const partner = popUntil(name)
      item.partner = partner
      ;(items[partner] as Item).partner = index
    }
  })

  function popUntil(name: string): number {
    for (;;) {
      const index = open.pop() as number
      const popped = (items[index] as Item).name
      openCount.set(popped, (openCount.get(popped) as number) - 1)
      if (popped === name) return index
    }
  }
}

/** Counts, for each index, the blank lines, double breaks, paragraphs and block elements before it. */
function countPartings(items: readonly Item[], work: Work): readonly number[] {
  const counts = [0]
  let count = 0
  let isBehindBreak = false
  for (const { kind, source, isBlock } of items) {
    work.steps += 1
    if (parts(kind, source, isBlock) || (kind === 'break' && isBehindBreak)) count += 1
    isBehindBreak = kind === 'break' || (isBehindBreak && kind === 'text' && !HAS_TEXT.test(source))
    counts.push(count)
  }
  return counts
}

const HAS_TEXT = /[^ \t\f\n]/
const BLANK_LINE = /\n[ \t\f]*\n/

function parts(kind: Item['kind'], source: string, isBlock: boolean): boolean {
  return isBlock || kind === 'start' || kind === 'end' || (kind === 'text' && BLANK_LINE.test(source))
}

/** Marks all items inside a quiet element as quiet. */
function markQuiet(items: readonly Item[]): void {
  let until = -1
  items.forEach((item, index) => {
    if (index < until) item.isQuiet = true
    else if (item.isQuiet && QUIET_ELEMENTS.has(item.name)) until = item.partner
  })
}
