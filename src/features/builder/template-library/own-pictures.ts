/**
 * Pictures of a template that another site has made: their numbers are those of that site. A reference keeps its number where the medium
 * of this site has the file that its address names; otherwise it is shown by its address, and `media/import` of the document fetches it.
 */
import type { Json } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { fileAddress, mediaOf } from '../../../services/media.ts'
import { attachedFileKey } from '../../../site/post-keys.ts'
import { replaceReferences } from '../documents/model.ts'

type SiteContext = Pick<Context, 'storage' | 'app' | 'settings'>

export async function withOwnPictures<T extends Json>(context: SiteContext, document: T): Promise<T> {
  const ids = new Set<number>()
  replaceReferences(document, (_, id) => {
    if (id > 0) ids.add(id)
    return undefined
  })
  if (ids.size === 0) return document
  const entries = await context.storage.meta.read('post', [...ids], [attachedFileKey])
  const files = new Map(entries.map(({ id, value }) => [id, String(value)]))
  // The cast: the copy has the members of the document.
  return replaceReferences(document, (address, id) =>
    id > 0 && !isFileOf(files.get(id), address, context) ? { id: null, url: address } : undefined,
  ) as T
}

/**
 * Whether an address of this site names a file, or a smaller copy of it: `2026/11/pier.png` and `…/2026/11/pier-300x200.png`. Another
 * site may have a file of the same path and number.
 */
function isFileOf(file: string | undefined, written: string, { app, settings }: SiteContext): boolean {
  if (file === undefined || !URL.canParse(written, settings.url)) return false
  const { origin, pathname } = new URL(written, settings.url)
  const own = [settings.url, settings.home, fileAddress(mediaOf(app), settings, file)]
  if (!own.some((address) => new URL(address).origin === origin)) return false
  const path = decoded(pathname)
  const [, stem = '', ending = ''] = /^(.*?)(?:-scaled|-rotated|-e\d+)?(\.\w+)?$/.exec(file) ?? []
  const at = path.lastIndexOf(`/${stem}`)
  if (at === -1) return false
  const rest = path.slice(at + 1 + stem.length)
  return rest.endsWith(ending) && /^(?:-scaled|-rotated|-e\d+)?(?:-\d+x\d+)?(?:\.\w+)?$/.test(rest)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
