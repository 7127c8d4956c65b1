/** The tables of one api: what is built in, and what the host adds or replaces. */

import type { Render } from '../../index.ts'
import { builtInConditions } from '../conditions/table.ts'
import { type Sheet, toSheet } from '../css/sheets.ts'
import type { RenderOptions } from '../pass/host.ts'
import type { Tables } from '../pass/pass.ts'
import { builtInShortcodes } from '../shortcodes/table.ts'
import { builtInTags } from '../tags/table.ts'
import { builtInWidgets } from '../widgets/table.ts'
import { baseRules } from './base-sheet.ts'
import { createElementTypes, createIsKnown } from './element-types.ts'

const ownEntry = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export function createTables(host: RenderOptions, text: Render): Tables {
  const widgets = { ...builtInWidgets, ...host.widgets }
  const tags = { ...builtInTags, ...host.tags }
  const shortcodes = { ...builtInShortcodes, ...host.shortcodes }
  const conditions = { ...builtInConditions, ...host.conditions }
  const widgetRules = [...new Set(Object.values(widgets).map(({ rules = '' }) => rules))].join('')
  let base: { readonly key: string; readonly sheet: Sheet } | undefined
  const elementType = createElementTypes(widgets)
  return {
    elementType,
    isKnown: createIsKnown(elementType, widgets),
    tag: (name) => ownEntry(tags, name),
    shortcode: (name) => ownEntry(shortcodes, name),
    condition: (name) => ownEntry(conditions, name),
    query: (name) => ownEntry(host.queries ?? {}, name),
    baseSheet: (breakpoints) => {
      const key = breakpoints.bands.map(({ device, query }) => device + query).join(' ') + breakpoints.tablet
      if (base?.key !== key) base = { key, sheet: toSheet('base', baseRules(breakpoints, widgetRules)) }
      return base.sheet
    },
    text,
  }
}
