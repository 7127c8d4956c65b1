/** The items of menus in export files: what the file keeps in meta becomes an item of ours. */
import type { FileMeta, ImportedItem } from '../../../core/declare/feature.ts'
import { type ItemFields, itemKey, itemPostKey, itemTermKey, itemTypes } from '../../../site/menu-items.ts'
import { addressOf } from './addresses.ts'

/** Meta keys of items in export files. */
const prefix = '_menu_item_'

export function importedItem(meta: FileMeta, neutralWord: (word: string) => string): ImportedItem {
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

const words = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(/\s+/).filter((word) => /^[\w:-]+$/.test(word)) : [],
  )
