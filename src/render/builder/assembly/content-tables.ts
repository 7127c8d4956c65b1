/** Joins the built-in blocks and shortcodes of stored texts with those of the host. A site without the builder has no others. */

import { createDrawnTest } from '../../blocks/drawn-names.ts'
import type { Render } from '../../index.ts'
import { isTemplateShortcode, shortcodeNames } from '../../text/shortcodes/names.ts'
import { builtInBlocks } from '../blocks/table.ts'
import type { RenderOptions } from '../pass/host.ts'
import type { Shortcode, Tables } from '../pass/pass.ts'
import { builtInShortcodes } from '../shortcodes/table.ts'

export const ownEntry = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const nothing = () => undefined

/** `template` draws the templates that texts name by a shortcode. Without it their places stay empty. */
export function createContentTables(host: RenderOptions, text: Render, template: Shortcode = nothing): Tables {
  const shortcodes = { 'builder-template': template, ...builtInShortcodes, ...host.shortcodes }
  const blocks = { ...builtInBlocks, ...host.blocks }
  return {
    shortcode: (name) =>
      ownEntry(shortcodes, name) ?? (isTemplateShortcode(name) ? shortcodes['builder-template'] : undefined),
    isShortcode: shortcodeNames(Object.keys(shortcodes)),
    block: (name) => ownEntry(blocks, name),
    isDrawn: createDrawnTest(host),
    query: (name) => ownEntry(host.queries ?? {}, name),
    text,
    ...{ elementType: () => nothing, isKnown: () => false, undrawn: nothing },
    ...{ tag: nothing, condition: nothing, baseParts: () => [] },
  }
}
