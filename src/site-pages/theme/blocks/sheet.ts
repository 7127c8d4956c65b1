/**
 * Chooses the rules for the blocks of a page. The address of a sheet names its parts, so every process can write it without the
 * page.
 */

import { sha256Of } from '../../../core/runtime/crypto.ts'
import { layoutRules } from './layout.ts'
import { partRules } from './parts.ts'
import { presetRules } from './presets.ts'
import type { ThemeValues } from './theme-values.ts'

export interface BlockSheets {
  /** The version of all parts. */
  readonly version: string
  /** Returns the name of the sheet for this markup; undefined: its blocks need no rules. */
  nameFor(markup: readonly string[]): string | undefined
  /** Returns the sheet of this name; undefined: no page has it. */
  textOf(name: string): string | undefined
}

/** Every sheet begins with the part of layouts, alignments and presets. */
const basePart = 'layout'

/** The theme has rules for the elements of these blocks. */
const withoutRules: ReadonlySet<string> = new Set(['paragraph', 'heading', 'list', 'footnotes'])

const classLists = /\sclass="([^"]*)"/g
/** Alignments, colours and sizes of texts, with blocks or without. */
const placed = /(?:^|\s)(?:has-[\w-]+|align(?:wide|full|left|right|center))(?=\s|$)/

const neutralStart = 'cms-block-'

/** `swapMarkup` translates the classes of blocks in markup, where the site has a preset of names. */
export function createBlockSheets(swapMarkup: (content: string) => string, theme: ThemeValues): BlockSheets {
  const [, start = neutralStart] = /"(.+)x"/.exec(swapMarkup(`<i class="${neutralStart}x">`)) ?? []
  const named = (css: string) => css.replaceAll(neutralStart, start)
  const base = named(layoutRules) + presetRules(theme)
  const { styles } = theme
  const names = new Set([...partRules.keys(), ...styles.blocks.keys()])
  const parts = new Map(
    [...names].map((name) => [name, named((partRules.get(name) ?? '') + (styles.blocks.get(name) ?? ''))]),
  )
  // Styles of the page win over rules of blocks with the same weight.
  const end = named(styles.page)
  const version = sha256Of([base, ...parts.values(), end].join('\n')).slice(0, 16)
  const isUsed = (found: Set<string>, classes: string): boolean => {
    let needed = placed.test(classes)
    if (!classes.includes(start)) return needed
    for (const one of classes.split(' ')) {
      if (!one.startsWith(start)) continue
      const name = one.slice(start.length)
      needed ||= !withoutRules.has(name) || parts.has(name)
      if (parts.has(name)) found.add(name)
    }
    return needed
  }
  return {
    version,
    nameFor(markup) {
      const found = new Set<string>()
      let isNeeded = end !== ''
      for (const html of markup) {
        for (const [, classes = ''] of html.matchAll(classLists)) isNeeded = isUsed(found, classes) || isNeeded
      }
      return isNeeded ? [basePart, ...[...parts.keys()].filter((name) => found.has(name))].join('_') : undefined
    },
    textOf(name) {
      const [first, ...rest] = name.split('_')
      const ordered = [...parts.keys()].filter((part) => rest.includes(part))
      if (first !== basePart || ordered.join('_') !== rest.join('_')) return undefined
      return base + ordered.map((part) => parts.get(part) ?? '').join('') + end
    },
  }
}
