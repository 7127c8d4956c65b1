/**
 * Reads the layout of a block from its attributes: classes, and custom properties for a style sheet. Values that the filter of
 * style attributes refuses are left out, because attributes of blocks are not filtered with the text.
 */

import type { BlockAttributes } from '../../html/block-markers.ts'
import { safeStyle } from '../filter/styles.ts'

export interface Layout {
  readonly classNames: readonly string[]
  /** Declarations, joined by `;`; empty without any. */
  readonly style: string
}

/** Blocks whose attributes say how their inner blocks are placed. */
const PLACING: ReadonlySet<string> = new Set([
  ...['group', 'columns', 'column', 'buttons', 'gallery', 'social-links', 'navigation'],
  ...['query', 'post-template', 'query-pagination', 'comments-pagination'],
])
const JUSTIFICATIONS: ReadonlySet<unknown> = new Set(['left', 'center', 'right', 'space-between', 'stretch'])
const POSITIONS: ReadonlySet<unknown> = new Set(['top', 'center', 'bottom', 'stretch', 'space-between'])
const PRESET = /^var:preset\|([a-z-]+)\|([\w-]+)$/

/** Returns undefined for a block that places nothing. */
export function layoutOf(name: string, read: () => BlockAttributes): Layout | undefined {
  if (!PLACING.has(name)) return undefined
  const attributes = read()
  const layout = objectOf(attributes['layout'])
  const declarations = [gapOf(attributes), ...sizesOf(layout)].filter((one) => one !== undefined)
  const classNames = classesOf(layout)
  if (classNames.length === 0 && declarations.length === 0) return undefined
  return { classNames, style: safeStyle(declarations.join(';')) }
}

function classesOf(layout: BlockAttributes): readonly string[] {
  const { type, orientation, justifyContent, flexWrap, verticalAlignment, columnCount } = layout
  if (type === 'constrained') return ['is-layout-constrained']
  if (type === 'grid') return isCount(columnCount) ? ['is-layout-grid', 'has-column-count'] : ['is-layout-grid']
  if (type !== 'flex') return []
  return [
    'is-layout-flex',
    ...(orientation === 'vertical' ? ['is-vertical'] : []),
    ...(flexWrap === 'nowrap' ? ['is-nowrap'] : []),
    ...(JUSTIFICATIONS.has(justifyContent) ? [`is-content-justification-${justifyContent}`] : []),
    ...(POSITIONS.has(verticalAlignment) ? [`is-vertically-aligned-${verticalAlignment}`] : []),
  ]
}

function sizesOf({ columnCount, minimumColumnWidth, contentSize, wideSize }: BlockAttributes): (string | undefined)[] {
  return [
    isCount(columnCount) ? `--cms-columns:${columnCount}` : undefined,
    declaration('--cms-column', minimumColumnWidth),
    declaration('--cms-content', contentSize),
    declaration('--cms-wide', wideSize),
  ]
}

/** A gap has one value, or one for rows and one for columns. */
function gapOf(attributes: BlockAttributes): string | undefined {
  const gap = objectOf(objectOf(attributes['style'])['spacing'])['blockGap']
  if (typeof gap === 'string') return declaration('--cms-gap', gap)
  const { top = '0', left = '0' } = objectOf(gap)
  return gap === undefined || typeof top !== 'string' || typeof left !== 'string'
    ? undefined
    : declaration('--cms-gap', `${lengthOf(top)} ${lengthOf(left)}`)
}

/** A semicolon would begin another declaration. */
const declaration = (name: string, value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !value.includes(';') ? `${name}:${lengthOf(value)}` : undefined

const lengthOf = (value: string): string => value.replace(PRESET, 'var(--cms--preset--$1--$2)')

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 16

const objectOf = (value: unknown): BlockAttributes =>
  // The cast: an object of parsed JSON that is no list has members by name.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as BlockAttributes) : {}
