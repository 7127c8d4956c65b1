/** Keeps copies of searched meta texts, folded as titles are: a storage folds ASCII letters of meta alone. */
import type { Json } from '../contract/storage.ts'
import { fold } from '../contract/text-fold.ts'

interface Fields {
  readonly [key: string]: { readonly field?: { readonly isSearched?: boolean } }
}

export const foldedKeyOf = (key: string) => `_folded_${key}`

/** The copies to write with these values: null removes one, as it removes the value. */
export function foldedTexts(fields: Fields, values: { readonly [key: string]: Json }): { [key: string]: Json } {
  const searched = Object.keys(values).filter((key) => Object.hasOwn(fields, key) && fields[key]?.field?.isSearched)
  return Object.fromEntries(searched.map((key) => [foldedKeyOf(key), foldedText(values[key])]))
}

function foldedText(value: Json | undefined): string | null {
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one !== '')
  return texts.length === 0 ? null : fold(texts.join('\n'))
}
