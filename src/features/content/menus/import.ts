/** The items of menus in export files, which keep in several keys of meta what our items have in one. */
import type { FileItems, FileMeta, ImportedItem } from '../../../core/declare/feature.ts'
import { blankFields, type ItemFields, itemKey, itemPostKey, itemTermKey, itemTypes } from '../../../site/menu-items.ts'
import { addressOf } from './addresses.ts'

/** Meta keys of items in export files. */
const prefix = '_menu_item_'

function importedItem(meta: FileMeta, neutralWord: (word: string) => string): ImportedItem {
  const text = (name: string) => String(meta[prefix + name] ?? '').trim()
  const number = Number(text('object_id')) || 0
  const type = itemTypes.find((one) => one === text('type')) ?? 'custom'
  const fields: ItemFields = {
    type,
    object: type === 'custom' ? 'custom' : neutralWord(text('object')),
    url: type === 'custom' ? addressOf(text('url')) : '',
    target: text('target') === '_blank' ? '_blank' : '',
    classes: words(meta[`${prefix}classes`]),
    xfn: words(meta[`${prefix}xfn`]),
  }
  return {
    meta: { [itemKey]: { ...fields } },
    parent: Number(text('menu_item_parent')) || 0,
    references: {
      ...(type === 'post_type' && number > 0 ? { [itemPostKey]: { kind: 'post', number } } : {}),
      ...(type === 'taxonomy' && number > 0 ? { [itemTermKey]: { kind: 'term', number } } : {}),
    },
  }
}

function exportedItem({ meta, parent, references }: ImportedItem, fileWord: (word: string) => string): FileMeta {
  // The cast: only the feature of menus and documents write it.
  const { type, object, url, target, classes, xfn } = { ...blankFields, ...(meta[itemKey] as object) }
  const number = references[itemPostKey]?.number ?? references[itemTermKey]?.number ?? 0
  const members = { type, object_id: number, object: fileWord(object), url, target, classes, xfn: xfn.join(' ') }
  const named = Object.entries({ ...members, menu_item_parent: parent })
  return Object.fromEntries(named.map(([name, value]) => [prefix + name, value]))
}

export const fileItems: FileItems = { fromFile: importedItem, toFile: exportedItem }

const words = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(/\s+/).filter((word) => /^[\w:-]+$/.test(word)) : [],
  )
