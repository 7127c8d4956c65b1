/** Writes documents of the page builder as the files of a kit, and their entries in its manifest. */
import type { Json } from '../../contract/storage.ts'
import type { Names } from '../../names/word-map.ts'
import { documentTypeKey, kitType, settingsKey } from '../context.ts'
import { isOfBuilder } from './items.ts'
import type { KitRow, Meta } from './rows.ts'

const elementsKey = '_builder_data'
const editModeKey = '_builder_edit_mode'
const conditionsKey = '_builder_conditions'

/** Returns whether the builder edits the row. */
export const isDocument = ({ meta }: KitRow): boolean =>
  meta[editModeKey] === 'builder' && typeof meta[elementsKey] === 'string'

interface EntryRules {
  readonly names: Names
  readonly frontPage: number
}

export function manifestEntry({ post, meta }: KitRow, { names, frontPage }: EntryRules): Json {
  const { [documentTypeKey]: type, [conditionsKey]: conditions } = meta
  return {
    title: post.title,
    doc_type: typeof type === 'string' ? names.toPublic(type) : '',
    ...(post.type === kitType ? { conditions: conditionsOf(conditions) } : {}),
    ...(post.id === frontPage ? { show_on_front: true } : {}),
  }
}

/** A condition is a path, `include/singular/page/12`. */
const conditionsOf = (paths: Json | undefined): Json =>
  (Array.isArray(paths) ? paths : []).flatMap((path: Json) => {
    if (typeof path !== 'string') return []
    const [type = '', name = '', sub_name = '', ...id] = path.split('/')
    return [{ type, name, sub_name, sub_id: id.join('/') }]
  })

/** Members of the file or of the manifest say these. */
const written = new Set([elementsKey, editModeKey, settingsKey, conditionsKey])

export function documentOf({ post, meta }: KitRow, names: Names): Json {
  const isWritten = (key: string) => written.has(key) || (key === documentTypeKey && post.type === kitType)
  const more = Object.entries(meta).filter(([key]) => isOfBuilder(key) && !isWritten(key))
  const named = more.map(([key, value]): [string, Json] => [
    names.toPublic(key),
    key === documentTypeKey && typeof value === 'string' ? names.toPublic(value) : value,
  ])
  return {
    content: elementsOf(meta),
    settings: meta[settingsKey] ?? {},
    metadata: [],
    ...(named.length > 0 ? { meta: Object.fromEntries(named) } : {}),
  }
}

/** A document whose elements can not be read is empty, as it is on the pages. */
function elementsOf({ [elementsKey]: stored }: Meta): Json {
  try {
    const elements = JSON.parse(String(stored ?? '')) as Json
    return Array.isArray(elements) ? elements : []
  } catch {
    return []
  }
}
