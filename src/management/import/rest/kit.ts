/**
 * Reads the design of a running site. The interface of its builder shows the global colours and fonts; where the list of templates shows
 * a kit with its settings, that one has all of it.
 */
import type { Json } from '../../../contract/storage.ts'
import type { FileRecord } from '../reader.ts'
import type { Warn } from '../report.ts'
import type { RestClient, RestObject } from './client.ts'
import { RestImportError } from './errors.ts'

export interface FoundKit {
  /** The kit as an item of an export file. None: the user may not read it. */
  readonly records: readonly FileRecord[]
  /** Receives the records of the lists. */
  readonly observe: (records: readonly FileRecord[]) => void
  /** Says what did not come along. */
  readonly warnOfMissing: (warn: Warn) => void
}

/** No item of a site has this number. */
const kitNumber = 2_000_000_000

const systemIds: ReadonlySet<string> = new Set(['primary', 'secondary', 'text', 'accent'])

/** `client` reads the interface of the builder; undefined where the site has none. */
export async function kitOf(client: RestClient | undefined, site: string): Promise<FoundKit> {
  const globals = client && (await readGlobals(client))
  const missing = globals ? 'settings' : 'colors, typography, settings'
  let isWhole = client === undefined
  return {
    records: globals ? [kitRecord(globals, site)] : [],
    observe(records) {
      isWhole ||= records.some(isWholeKit)
    },
    warnOfMissing(warn) {
      if (!isWhole) warn('kit-unread', missing)
    },
  }
}

/** The names are those of a site with the words of export files, or of this service. */
function isWholeKit({ fields, meta }: FileRecord): boolean {
  if (!/_library$/.test(fields['wp:post_type'] ?? '')) return false
  const values = new Map(meta.map(([key, value]) => [key.replace(/^_(?:elementor|builder)_/, ''), value]))
  return values.get('template_type') === 'kit' && isObject(values.get('page_settings') as Json | undefined)
}

async function readGlobals(client: RestClient): Promise<RestObject | undefined> {
  try {
    const { body } = await client.get('/globals')
    return isObject(body) ? body : undefined
  } catch (error) {
    if (error instanceof RestImportError && error.status !== undefined && error.status < 500) return undefined
    throw error
  }
}

function kitRecord(globals: RestObject, site: string): FileRecord {
  const settings = {
    ...listsOf('colors', globals['colors'], (value) => ({ color: value })),
    ...listsOf('typography', globals['typography'], (value) => (isObject(value) ? value : {})),
  }
  return {
    ...{ kind: 'item', line: 0, terms: [], comments: [] },
    fields: {
      'wp:post_id': String(kitNumber),
      'wp:post_type': 'elementor_library',
      'wp:status': 'publish',
      title: 'Kit',
      guid: `${site}/?kit=globals`,
      link: '',
    },
    meta: [
      ['_elementor_edit_mode', 'builder'],
      ['_elementor_template_type', 'kit'],
      ['_elementor_data', '[]'],
      ['_elementor_page_settings', settings],
    ],
  }
}

/** The import of a kit judges each item. */
function listsOf(kind: string, shown: Json | undefined, members: (value: Json) => RestObject): RestObject {
  const items = isObject(shown) ? Object.entries(shown) : []
  const listed = items.map(([id, item]) => {
    const { title = id, value = null } = isObject(item) ? item : {}
    return { _id: id, title, ...members(value) }
  })
  return {
    [`system_${kind}`]: listed.filter(({ _id: id }) => systemIds.has(id)),
    [`custom_${kind}`]: listed.filter(({ _id: id }) => !systemIds.has(id)),
  }
}

const isObject = (value: Json | undefined): value is RestObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
