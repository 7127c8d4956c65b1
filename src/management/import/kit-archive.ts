/**
 * Reads a site kit or a template kit: a zip archive with a manifest, settings, templates, content, taxonomies and export files. Its
 * files become the records of an export file, so the same rules bring them in. A mistake in any of them refuses the whole kit.
 */
import type { Json } from '../../contract/storage.ts'
import { toSlug } from '../../site/slug.ts'
import { kitArchiveBytes, type ReadArchive } from '../context.ts'
import { type FileHead, type FileRecord, ImportFileError, readExportFile } from './reader.ts'
import { postsPageMark } from './site-values.ts'

/** The archive is not a kit, or is rejected as a whole: nothing is written. */
export class KitFileError extends Error {
  readonly code = 'import_kit'
}

/** The archive itself, and its files once they are unpacked. */
export const kitLimits = {
  archiveBytes: kitArchiveBytes,
  ...{ files: 2000, fileBytes: 16 * 1024 * 1024, totalBytes: 128 * 1024 * 1024, ratio: 200 },
}
export const maxRecords = 10_000

type JsonObject = { readonly [name: string]: Json }
type Files<T = Uint8Array> = ReadonlyMap<string, T>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 1000) : ''

export async function readKitArchive(
  bytes: Uint8Array,
  readArchive: ReadArchive | undefined,
  designFiles: Iterable<string> = [],
): Promise<{ head: FileHead; records: FileRecord[]; design: Files<Json> }> {
  const files = filesIn(bytes, readArchive)
  const manifest = objectIn(files, 'manifest.json') ?? templateList(files)
  if (!manifest) throw new KitFileError('the archive has no manifest.json and no templates, so it is no kit')
  const site = textOf(manifest['site']).replace(/\/+$/, '')
  const head: FileHead = { version: textOf(manifest['version']), title: '', site }
  const exported = await exportedRecords(files, head)
  const kit = new KitReader(files, manifest, site)
  const documents = kit.records()
  const byNumber = new Map(documents.map((record) => [numberIn(record), record]))
  const known = new Set(exported.map(numberIn))
  const items = [
    ...exported.map((record) => withDocument(record, byNumber.get(numberIn(record)))),
    ...documents.filter((one) => !known.has(numberIn(one))),
  ]
  const postsPage = Number(manifest['posts_page']) || 0
  const records = [...kit.terms, ...items.map((item) => (numberIn(item) === postsPage ? asPostsPage(item) : item))]
  if (records.length > maxRecords) throw new KitFileError(`the kit has more than ${maxRecords} items`)
  const design = [...designFiles].flatMap((name) => {
    const file = objectIn(files, name)
    return file ? [[name, file as Json] as const] : []
  })
  return { head: { ...head, title: '', site }, records, design: new Map(design) }
}

/** Exported templates may be in one archive without a manifest. */
function templateList(files: Files): JsonObject | undefined {
  const names = [...files.keys()].filter((name) => /\.json$/i.test(name))
  const templates = names.filter((name) => Array.isArray(objectOf(jsonIn(files, name))['content']))
  return templates.length === 0 ? undefined : { templates: templates.map((source) => ({ source })) }
}

const numberIn = ({ fields }: FileRecord): number => Number(fields['wp:post_id']) || 0

/** The item of an export file may lack the document that the kit has of it. */
function withDocument(item: FileRecord, document: FileRecord | undefined): FileRecord {
  if (!document || item.fields['wp:post_type'] !== document.fields['wp:post_type']) return item
  const { meta, fields } = document
  const own = new Set(item.meta.map(([key]) => key))
  const { [frontPageMark]: isFront, link = '' } = fields
  return {
    ...item,
    fields: { ...item.fields, ...(isFront === undefined ? {} : { link }) },
    meta: [...item.meta, ...meta.filter(([key]) => !own.has(key))],
  }
}

const frontPageMark = 'kit:front_page'

const asPostsPage = (item: FileRecord): FileRecord => ({ ...item, fields: { ...item.fields, [postsPageMark]: '1' } })

/** A kit may lie in a folder of the archive. */
function filesIn(bytes: Uint8Array, readArchive: ReadArchive | undefined): Files {
  if (!readArchive) throw new KitFileError('this program reads no archives')
  try {
    const files = readArchive(bytes, kitLimits).filter(({ name }) => !name.startsWith('__MACOSX/'))
    const manifest = files.map(({ name }) => name).filter((name) => /^(?:[^/]+\/)?manifest\.json$/.test(name))
    const folder = (manifest.sort((a, b) => a.length - b.length)[0] ?? '').replace(/manifest\.json$/, '')
    return new Map(files.map(({ name, bytes }) => [name.startsWith(folder) ? name.slice(folder.length) : name, bytes]))
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown }
    throw code === 'archive' ? new KitFileError(message) : error
  }
}

const maxLevels = 200

function objectIn(files: Files, name: string): JsonObject | undefined {
  const value = jsonIn(files, name)
  if (value === undefined || isObject(value)) return value
  throw new KitFileError(`${name} is not a JSON object`)
}

function jsonIn(files: Files, name: string): Json | undefined {
  const bytes = files.get(name)
  if (!bytes) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value = JSON.parse(text) as Json
    if (levelsOf(value) <= maxLevels) return value
  } catch {
    throw new KitFileError(`${name} is not JSON`)
  }
  throw new KitFileError(`${name} is nested more than ${maxLevels} levels deep`)
}

function levelsOf(value: Json): number {
  let levels = 0
  let inner: Json[] = [value]
  while (inner.length > 0 && levels <= maxLevels) {
    levels++
    inner = inner.flatMap((part) => (typeof part === 'object' && part !== null ? (Object.values(part) as Json[]) : []))
  }
  return levels
}

/** The items of its export files. Titles and languages of the old site are not those of the kit. */
async function exportedRecords(files: Files, head: FileHead): Promise<FileRecord[]> {
  const records: FileRecord[] = []
  for (const [name, bytes] of files) {
    if (!/^wp-content\/.*\.xml$/i.test(name)) continue
    const found: FileHead = { version: '', title: '', site: '' }
    try {
      for await (const chunk of readExportFile(oneChunk(bytes), found)) records.push(...chunk.records)
    } catch (error) {
      if (error instanceof ImportFileError) throw new KitFileError(`${name}: ${error.message}`)
      throw error
    }
    head.site ||= found.site
  }
  return records
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes
}

const bare = { line: 0, terms: [], comments: [] } as const

interface KitDocument {
  readonly id: number
  readonly postType: string
  readonly title: string
  readonly type: string
  readonly file: JsonObject
  readonly conditions?: readonly string[]
  readonly isFront?: boolean
  /** The entry of the manifest. */
  readonly entry?: JsonObject
}

class KitReader {
  readonly #files: Files
  readonly #manifest: JsonObject
  readonly #site: string
  readonly terms: readonly FileRecord[]
  /** The names of its terms, by taxonomy and slug. */
  readonly #names: ReadonlyMap<string, string>

  constructor(files: Files, manifest: JsonObject, site: string) {
    this.#files = files
    this.#manifest = manifest
    this.#site = site
    this.terms = this.#termRecords()
    this.#names = new Map(
      this.terms.map(({ fields }) => [
        `${fields['wp:term_taxonomy']} ${fields['wp:term_slug']}`,
        fields['wp:term_name'] ?? '',
      ]),
    )
  }

  #termRecords(): FileRecord[] {
    const names = [...this.#files.keys()].filter((name) => /^taxonomies\/[^/]+\.json$/.test(name))
    return names.flatMap((name) => {
      const list = jsonIn(this.#files, name)
      const terms = (Array.isArray(list) ? list : Object.values(objectOf(list))).filter(isObject)
      const slugs = new Map(terms.map(({ term_id: id, slug }) => [textOf(id), textOf(slug)]))
      return terms.map(
        (term): FileRecord => ({
          ...{ ...bare, kind: 'term', meta: Object.entries(objectOf(term['meta'])) },
          fields: {
            'wp:term_id': textOf(term['term_id']),
            'wp:term_taxonomy': textOf(term['taxonomy']) || name.slice('taxonomies/'.length, -'.json'.length),
            'wp:term_slug': textOf(term['slug']),
            'wp:term_name': textOf(term['name']),
            'wp:term_description': textOf(term['description']),
            'wp:term_parent': slugs.get(textOf(term['parent'])) ?? '',
          },
        }),
      )
    })
  }

  records(): FileRecord[] {
    const { templates } = this.#manifest
    // A site kit without templates has an empty list.
    const isList = Array.isArray(templates) && templates.length > 0
    const documents = isList ? this.#templateKit(templates) : this.#siteKit(objectOf(templates))
    return documents.map((document) => this.#record(document))
  }

  #siteKit(templates: JsonObject): KitDocument[] {
    const settings = objectIn(this.#files, 'site-settings.json')
    const kit = settings ? [this.#kit(2_000_000_000, settings['settings'])] : []
    const content = objectOf(this.#manifest['content'])
    const pages = Object.entries(content).flatMap(([postType, entries]) =>
      Object.entries(objectOf(entries)).map(([id, entry]) => {
        const { title, doc_type: type, show_on_front: isFront } = objectOf(entry)
        const file = this.#required(`content/${postType}/${id}.json`)
        const more = { ...(isFront === true ? { isFront } : {}), entry: objectOf(entry) }
        return { ...{ id: numberOf(id), postType, title: textOf(title), type: textOf(type), file }, ...more }
      }),
    )
    const parts = Object.entries(templates).map(([id, entry]) => {
      const { title, doc_type: type, conditions } = objectOf(entry)
      const file = this.#required(`templates/${id}.json`)
      const names = { postType: 'elementor_library', title: textOf(title), type: textOf(type) }
      return { id: numberOf(id), ...names, file, conditions: conditionsOf(conditions) }
    })
    return [...kit, ...pages, ...parts]
  }

  #templateKit(templates: readonly Json[]): KitDocument[] {
    return templates.filter(isObject).map((entry, index) => {
      const source = textOf(entry['source'])
      const file = this.#required(source)
      const title = textOf(entry['name']) || textOf(file['title'])
      const metadata = objectOf(entry['metadata'])
      const isGlobal = metadata['template_type'] === 'global-styles' || /(^|\/)global\.json$/.test(source)
      if (isGlobal) return this.#kit(index + 1, file['page_settings'] ?? file['settings'])
      const type = textOf(file['type']) || 'page'
      const conditions = conditionsOf(metadata['elementor_pro_conditions'])
      return { id: index + 1, postType: 'elementor_library', title, type, file, conditions }
    })
  }

  #kit(id: number, settings: Json | undefined): KitDocument {
    const title = textOf(this.#manifest['title']) || 'Kit'
    return {
      id,
      postType: 'elementor_library',
      title,
      type: 'kit',
      file: { content: [], settings: objectOf(settings) },
    }
  }

  /** Documents name their terms by number and slug. */
  #termsOf(entry: JsonObject): FileRecord['terms'] {
    const { terms } = entry
    return (Array.isArray(terms) ? terms : []).filter(isObject).flatMap(({ taxonomy, slug }) => {
      const domain = textOf(taxonomy)
      const name = this.#names.get(`${domain} ${textOf(slug)}`)
      return name === undefined ? [] : [{ domain, slug: textOf(slug), name }]
    })
  }

  #required(name: string): JsonObject {
    const file = objectIn(this.#files, name)
    if (!file) throw new KitFileError(`${name.slice(0, 200)} is in the manifest, but not in the archive`)
    if (!Array.isArray(file['content'])) throw new KitFileError(`${name} has no list of elements`)
    return file
  }

  #record({ id, postType, title, type, file, conditions = [], isFront, entry = {} }: KitDocument): FileRecord {
    const settings = objectOf(file['settings'] ?? file['page_settings'])
    const slug = slugIn(textOf(entry['url']))
    const address = `${this.#site || 'kit:'}/?kit=${toSlug(textOf(this.#manifest['title']))}&id=${id}`
    return {
      ...{ ...bare, kind: 'item' },
      terms: this.#termsOf(entry),
      fields: {
        'wp:post_id': String(id),
        'wp:post_type': postType,
        ...(slug === '' ? {} : { 'wp:post_name': slug }),
        'excerpt:encoded': textOf(entry['excerpt']),
        'wp:status': 'publish',
        title,
        guid: address,
        link: isFront ? this.#site : address,
        ...(isFront ? { [frontPageMark]: '1' } : {}),
      },
      meta: [
        ['_elementor_edit_mode', 'builder'],
        ...(postType === 'elementor_library' ? [['_elementor_template_type', type || 'page'] as const] : []),
        ['_elementor_data', JSON.stringify(file['content'])],
        ['_elementor_page_settings', settings],
        ...(conditions.length > 0 ? [['_elementor_conditions', [...conditions]] as const] : []),
        ...Object.entries(objectOf(file['meta'])).filter(([key]) => isMore(key, postType)),
      ],
    }
  }
}

/** Finds meta of the builder that no other member of the file or of the manifest says. */
const isMore = (key: string, postType: string): boolean =>
  /^_(?:elementor|builder)_(?!(?:data|edit_mode|page_settings|conditions)$)/.test(key) &&
  !(postType === 'elementor_library' && key.endsWith('_template_type'))

/** The last part of the path at which the old site shows a document. */
const slugIn = (address: string): string =>
  URL.canParse(address) ? (new URL(address).pathname.split('/').findLast((part) => part !== '') ?? '') : ''

function numberOf(id: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id)
  throw new KitFileError(`${id.slice(0, 50)} in the manifest is no number of a document`)
}

/** Reads a list of texts such as `include/singular/page`, or of objects that have the parts. */
function conditionsOf(given: Json | undefined): string[] {
  return (Array.isArray(given) ? given : []).flatMap((one) => {
    if (typeof one === 'string') return [one]
    const { type, name, sub_name: sub, sub_id: id } = objectOf(one)
    const parts = [type, name, sub, id].map(textOf)
    const end = parts.findLastIndex((part) => part !== '')
    return end < 0 ? [] : [parts.slice(0, end + 1).join('/')]
  })
}
