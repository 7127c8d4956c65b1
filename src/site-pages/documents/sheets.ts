/**
 * Serves the style sheets of pages at versioned addresses. A process keeps the sheets of the pages that it has drawn; for
 * others it draws the page that requests the sheet.
 */

import { createLru, type Lru } from '../../core/runtime/lru.ts'
import { type Sheet, toSheet } from '../../render/builder/css/sheets.ts'
import { type Drawn, drawnParts } from './draw.ts'

/** Parts that are listed come in cascade order; others come with the documents. */
const parts = ['base', 'variables', 'kit', 'atomic-base', 'classes', 'defaults', 'document', 'local', 'custom'] as const

const rankOf = ({ key }: Sheet): number => {
  const found = parts.findIndex((part) => key === part || key.startsWith(`${part}-`))
  return found === -1 ? parts.indexOf('document') : found
}

/**
 * Returns each sheet once. All documents of a page share one cascade, in which sheets of the site precede sheets of a document. The parts
 * of the base sheet that they need are one sheet: pages with the same kinds of widgets share it.
 */
export function sheetsOf(drawn: Drawn): readonly Sheet[] {
  const all = drawnParts(drawn).flatMap(({ css }) => css)
  const unique = [...new Map(all.map((sheet) => [`${sheet.key} ${sheet.version}`, sheet])).values()]
  const isBase = (sheet: Sheet) => rankOf(sheet) === 0
  const base = unique.filter(isBase).sort((a, b) => (a.key < b.key ? -1 : 1))
  const others = unique.filter((sheet) => !isBase(sheet)).sort((a, b) => rankOf(a) - rankOf(b))
  return base.length === 0 ? others : [toSheet('base', base.map(({ css }) => css).join('')), ...others]
}

export interface SheetStore {
  /** `isPreview`: visitors get them at their own addresses alone, never in place of an older version. */
  keep(sheets: readonly Sheet[], options?: { readonly isPreview?: boolean }): void
  /** Returns the sheet with this version, or the latest one of this key. */
  find(key: string, version?: string): Sheet | undefined
}

const maxCharacters = 16 * 1024 * 1024

export function createSheetStore(): SheetStore {
  const kept: Lru<Sheet> = createLru(maxCharacters)
  return {
    keep(sheets, { isPreview = false } = {}) {
      for (const sheet of sheets) {
        kept.set(`${sheet.key} ${sheet.version}`, sheet, sheet.css.length)
        if (!isPreview) kept.set(sheet.key, sheet, sheet.css.length)
      }
    },
    find: (key, version) => kept.get(version === undefined ? key : `${key} ${version}`),
  }
}
