/**
 * Converts line ends of a text to paragraphs and breaks. It reads the items of the HTML once and removes no text. Written from
 * the recordings. Choice: well-nested HTML stays well nested. A box or an inline element whose text contains a blank line gets
 * whole paragraphs inside.
 */

import { lookupTable } from '../../contract/lookup-table.ts'
import {
  addContent,
  type Builder,
  createBox,
  createBuilder,
  endRun,
  innermost,
  push,
  startLine,
} from './paragraphs/builder.ts'
import * as gaps from './paragraphs/gap.ts'
import { type Item, type ItemKind, readItems } from './paragraphs/items.ts'
import { matchItems } from './paragraphs/matches.ts'
import type { Work } from './typography/signs.ts'

/** The cost is linear in the length of the text. */
export function paragraphs(text: string, work: Work = { steps: 0 }): string {
  const items = readItems(text, work)
  matchItems(items, work)
  const builder = createBuilder()
  for (const item of items) {
    work.steps += 1
    handlers[item.kind](builder, item)
  }
  endRun(builder, 'textEnd')
  startLine(builder)
  return builder.parts.join('')
}

const handlers: { readonly [kind in ItemKind]: (builder: Builder, item: Item) => void } = lookupTable({
  text: addText,
  break: (builder) => {
    if (gaps.addBreak(builder.gap)) endAtBlankLine(builder)
  },
  leaf: addLeaf,
  open: (builder, item) => (item.isBlock ? openBox(builder, item) : addContent(builder, item.source, item)),
  close: (builder, item) => (item.isBlock ? closeBox(builder, item) : addContent(builder, item.source, item)),
  start: startParagraph,
  end: endParagraph,
  markup: (builder, item) => addContent(builder, item.source, item),
})

/** Splits a text at its line ends. Blanks at the end of a line belong to the gap after it. */
function addText(builder: Builder, item: Item): void {
  const { source } = item
  let at = 0
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', at)) {
    addLine(builder, item, source.slice(at, end))
    if (gaps.addLineEnd(builder.gap)) endAtBlankLine(builder)
    at = end + 1
  }
  addLine(builder, item, source.slice(at))
}

function addLine(builder: Builder, item: Item, line: string): void {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1
  if (end > 0) addContent(builder, line.slice(0, end), item)
  gaps.addBlanks(builder.gap, line.slice(end))
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 12

function endAtBlankLine(builder: Builder): void {
  const { run } = builder
  if (run?.kind === 'written' && run.isEmpty) builder.gap = []
  else endRun(builder, 'blankLine')
}

function addLeaf(builder: Builder, { source, name }: Item): void {
  endRun(builder, 'block')
  innermost(builder).isFresh = false
  startLine(builder)
  push(builder, source)
  builder.needsLine = name !== 'area' && name !== 'col'
}

function openBox(builder: Builder, { source, name, partner }: Item): void {
  endRun(builder, 'block')
  innermost(builder).isFresh = false
  startLine(builder)
  push(builder, source)
  builder.boxes.push(createBox(name, partner !== -1, true))
}

function closeBox(builder: Builder, { source, name, partner }: Item): void {
  endRun(builder, partner === -1 ? 'block' : 'boxEnd', name)
  if (builder.needsLine) startLine(builder)
  if (partner === -1) innermost(builder).isFresh = false
  else popBox(builder)
  push(builder, source)
  builder.needsLine = true
}

/** Boxes that are never closed end with the box around them. */
function popBox({ boxes }: Builder): void {
  while (boxes.at(-1)?.isClosed === false) boxes.pop()
  boxes.pop()
}

function startParagraph(builder: Builder, { source }: Item): void {
  endRun(builder, 'block')
  innermost(builder).isFresh = false
  startLine(builder)
  push(builder, source)
  const slot = builder.parts.length - 1
  builder.run = { kind: 'written', slot, keepsStart: true, isEmpty: true, isLoud: true, isBehindQuiet: false }
}

function endParagraph(builder: Builder, item: Item): void {
  const kind = builder.run?.kind
  if (kind === 'bare') addContent(builder, item.source, item)
  else endRun(builder, 'paragraphEnd', item.source)
  if (kind === undefined) addStrayEnd(builder, item)
}

/** Handles an end tag whose paragraph has already ended or never began. */
function addStrayEnd(builder: Builder, { source }: Item): void {
  const box = innermost(builder)
  if (box.endsToDrop > 0) {
    box.endsToDrop -= 1
    return
  }
  push(builder, source)
  builder.needsLine = true
}
