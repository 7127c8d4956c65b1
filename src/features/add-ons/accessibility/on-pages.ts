/** Applies remediations to what the pages of the site show. Nothing is stored: a reader of a page writes nothing. */

import type { Storage } from '../../../contract/storage.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { createLru } from '../../../core/runtime/lru.ts'
import { toPageUrl } from './args.ts'
import { isShown, type Reader, readForPages, type StoredRemediation } from './reading.ts'
import { remediatePage } from './remediation/index.ts'

/** Holds a page, or a part of it, such as an entry of a feed. */
interface ShownHtml {
  readonly url: string
  /** It is called where the address has remediations. */
  readonly html: () => string
}

/** Returns the HTML of each after the remediations of its address; undefined: it has none. `storage`: from which they are read. */
export type AppliedToPages = (
  shown: readonly ShownHtml[],
  how?: { readonly isFragment?: boolean; readonly storage?: Storage },
) => Promise<readonly (string | undefined)[]>

/** So many characters of remediated HTML are kept by a process. */
const keptCharacters = 4_000_000

export function appliedToPages(reader: Reader, ready: ExtensionOptions['ready']): AppliedToPages {
  const kept = createLru<string>(keptCharacters)
  const apply = async (html: string, active: readonly StoredRemediation[], isFragment: boolean) => {
    const items = active.map(({ id, content, isTrusted }) => ({ id, content, isTrusted }))
    const key = sha256Of(JSON.stringify([html, items, isFragment]))
    const known = kept.get(key)
    if (known !== undefined) return known
    const { html: changed } = await remediatePage(html, items, { isSealed: true, isFragment })
    kept.set(key, changed, changed.length)
    return changed
  }
  return async (shown, { isFragment = false, storage = reader.storage } = {}) => {
    if (shown.length === 0) return []
    await ready()
    const lists = await readForPages(
      { ...reader, storage },
      shown.map(({ url }) => toPageUrl(url)),
    )
    const results: (string | undefined)[] = []
    for (const [index, { html }] of shown.entries()) {
      const active = lists[index]?.filter(isShown) ?? []
      results.push(active.length === 0 ? undefined : await apply(html(), active, isFragment))
    }
    return results
  }
}
