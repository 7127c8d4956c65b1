/** Builds the output of the paragraph rule: boxes, and runs of text and inline markup inside them. */
import { NO_BREAK_BEFORE_END, QUIET_ELEMENTS } from './elements.ts'
import * as gaps from './gap.ts'
import type { Item } from './items.ts'

/** An open block element; the innermost one receives the next content. */
interface Box {
  readonly name: string
  /** Whether the source contains its closing tag. */
  readonly isClosed: boolean
  /** True until a block element, a paragraph or a blank line occurs in it. */
  isFresh: boolean
  /** The number of closing tags to drop, because their paragraphs have already ended. */
  endsToDrop: number
}

/** Text and inline markup that form one paragraph, or that are in a box without one. */
interface Run {
  /** `bare` has no paragraph, `made` one that this rule adds, `written` one of the source. */
  readonly kind: 'bare' | 'made' | 'written'
  /** The index in the output at which `<p>` is inserted if the run needs one. */
  readonly slot: number
  /** Whether line ends stay right after the tag with which the run begins. */
  readonly keepsStart: boolean
  isEmpty: boolean
  /** Whether the run needs a paragraph: it contains more than quiet elements. */
  isLoud: boolean
  /** Whether the last piece is a tag of a quiet element. */
  isBehindQuiet: boolean
}

export interface Builder {
  readonly parts: string[]
  readonly boxes: Box[]
  gap: gaps.Gap
  run: Run | undefined
  /** Whether a line end precedes the next output. */
  needsLine: boolean
  isAtLineStart: boolean
}

/**
 * The event that ends a run: a blank line, the tag of a block element or paragraph, the closing tag of its box, the end of the
 * text, or the closing tag of its paragraph.
 */
type Ending = 'blankLine' | 'block' | 'boxEnd' | 'textEnd' | 'paragraphEnd'

export const createBox = (name: string, isClosed: boolean, isFresh: boolean): Box => ({
  name,
  isClosed,
  isFresh,
  endsToDrop: 0,
})

export const createBuilder = (): Builder => ({
  parts: [],
  boxes: [createBox('', true, false)],
  gap: [],
  run: undefined,
  needsLine: false,
  isAtLineStart: true,
})

export const innermost = ({ boxes }: Builder): Box => boxes.at(-1) as Box

export function push(builder: Builder, source: string): void {
  if (source === '') return
  builder.parts.push(source)
  builder.isAtLineStart = source.endsWith('\n')
}

export function startLine(builder: Builder): void {
  if (!builder.isAtLineStart) push(builder, '\n')
  builder.needsLine = false
}

function takeGap(builder: Builder): gaps.Gap {
  const { gap } = builder
  if (gap.length > 0) builder.gap = []
  return gap
}

/** Adds text or inline markup to the open run, or to a new one. */
export function addContent(builder: Builder, source: string, item: Item): void {
  const run = builder.run ?? startRun(builder, item)
  const isQuietTag = item.kind !== 'text' && QUIET_ELEMENTS.has(item.name)
  push(builder, joint(run, takeGap(builder), isQuietTag ? item : undefined))
  if (!item.isQuiet && !run.isLoud) {
    run.isLoud = true
    if (run.kind === 'made') builder.parts[run.slot] = '<p>'
  }
  push(builder, source)
  run.isEmpty = false
  run.isBehindQuiet = isQuietTag
}

function startRun(builder: Builder, item: Item): Run {
  const { isFresh, name } = innermost(builder)
  if (item.name === 'figcaption') builder.needsLine = false
  else if (!isFresh) startLine(builder)
  const kind = isFresh && name !== 'blockquote' ? 'bare' : 'made'
  const slot = builder.parts.push('') - 1
  const run: Run = { kind, slot, keepsStart: isFresh, isEmpty: true, isLoud: false, isBehindQuiet: false }
  builder.run = run
  return run
}

/** Returns the text that replaces the gap before a piece of the run. */
function joint(run: Run, gap: gaps.Gap, quietTag: Item | undefined): string {
  if (gap.length === 0) return ''
  if (run.isEmpty) return run.keepsStart ? gaps.asWritten(gap) : gaps.atStart(gap)
  const takesNoBreak = quietTag !== undefined && (quietTag.kind !== 'close' || NO_BREAK_BEFORE_END.has(quietTag.name))
  return run.isBehindQuiet || takesNoBreak ? gaps.asWritten(gap) : gaps.withinText(gap)
}

/** Ends the open run, if there is one, and consumes the gap. `tag` is the name of the box, or the source of a closing tag. */
export function endRun(builder: Builder, ending: Ending, tag = ''): void {
  const { run } = builder
  const gap = takeGap(builder)
  if (run === undefined) {
    endWithoutRun(builder, gap, ending)
    return
  }
  builder.run = undefined
  if (run.kind === 'bare') endBareRun(builder, run, gap, ending, tag)
  else endParagraphRun(builder, run, gap, ending, tag)
  innermost(builder).isFresh = false
}

function endWithoutRun(builder: Builder, gap: gaps.Gap, ending: Ending): void {
  const box = innermost(builder)
  if (box.isFresh && ending === 'boxEnd') {
    push(builder, gaps.asWritten(gaps.beforeTag(gap)))
  } else if (gaps.hasBreak(gap) && ending !== 'paragraphEnd') {
    // Interface: a break alone becomes an empty paragraph.
    startLine(builder)
    push(builder, '<p></p>')
    builder.needsLine = true
  } else if (gaps.hasLineEnd(gap)) {
    builder.needsLine = true
  }
  if (ending === 'blankLine') {
    box.isFresh = false
    builder.needsLine = true
  }
}

function endBareRun(builder: Builder, run: Run, gap: gaps.Gap, ending: Ending, boxName: string): void {
  if (ending === 'boxEnd') {
    const isPlain = run.isBehindQuiet || NO_BREAK_BEFORE_END.has(boxName)
    push(builder, (isPlain ? gaps.asWritten : gaps.withinText)(gaps.beforeTag(gap)))
    return
  }
  builder.needsLine = true
  if (ending === 'block') {
    push(builder, gaps.hasBreak(gap) ? gaps.asWritten(gaps.beforeTag(gap)) : gaps.atEnd(gap))
    return
  }
  push(builder, ending === 'blankLine' ? gaps.beforeBlankLine(gap) : gaps.atEnd(gap))
  if (!run.isLoud) return
  // Interface: text right after the tag of an unclosed box gets `</p>` but no `<p>`.
  if (innermost(builder).isClosed) builder.parts[run.slot] = '<p>'
  push(builder, '</p>')
}

function endParagraphRun(builder: Builder, run: Run, gap: gaps.Gap, ending: Ending, tag: string): void {
  const box = innermost(builder)
  const isMade = run.kind === 'made'
  builder.needsLine = ending !== 'boxEnd'
  if (!isMade && ending !== 'paragraphEnd') box.endsToDrop += 1
  push(builder, paragraphEnd(gap, ending))
  if (run.isLoud) push(builder, '</p>')
  if (!isMade || ending !== 'paragraphEnd') return
  if (box.endsToDrop > 0) box.endsToDrop -= 1
  else if (!run.isLoud) push(builder, tag)
}

function paragraphEnd(gap: gaps.Gap, ending: Ending): string {
  if (ending === 'blankLine') return gaps.beforeBlankLine(gap)
  return ending === 'boxEnd' && gaps.hasLineEnd(gap) ? '\n' : gaps.atEnd(gap)
}
