/**
 * Writes a site as a site kit: a zip archive with a manifest, the design, templates with conditions, documents, terms, and export files
 * of all that is published. What an import would not take is refused, so each kit that is written can be read.
 */
import type { Json } from '../../contract/storage.ts'
import { createNames, type Names } from '../../names/word-map.ts'
import { toSlug } from '../../site/slug.ts'
import {
  type ArchivedFile,
  documentTypeKey,
  inOneTransaction,
  itemRulesOf,
  kitFilesOf,
  kitRulesOf,
  kitType,
  type ManagementContext,
  metaReferencesOf,
  postTypesOf,
  settingsKey,
} from '../context.ts'
import { declaredFields } from '../declared-meta.ts'
import { kitLimits } from '../import/kit-archive.ts'
import { documentOf, isDocument, manifestEntry } from './documents.ts'
import { exportFiles } from './export-file.ts'
import { exportItem, type ItemRules } from './items.ts'
import { KitExportError, type KitRow, type KitRows, readRows } from './rows.ts'

/** The options of a kit. */
export interface KitExportOptions {
  /** False: only the design and the templates. Default: pages, posts, media, terms and menus too. */
  readonly content?: boolean
}

export async function exportKit(
  context: ManagementContext,
  { content = true }: KitExportOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  await context.ready()
  const { readArchive, writeArchive } = context
  if (!kitRulesOf(context)) throw new TypeError('the profile of this site has no kit')
  if (!readArchive || !writeArchive) throw new TypeError('this program writes no archives')
  const files = await inOneTransaction(context.storage, (storage) => kitFiles({ ...context, storage }, content))
  const bytes = writeArchive(files)
  try {
    if (bytes.length <= kitLimits.archiveBytes) readArchive(bytes, kitLimits)
    else throw new KitExportError(`the kit is larger than ${kitLimits.archiveBytes} bytes`)
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown }
    throw code === 'archive' ? new KitExportError(message) : error
  }
  return bytes
}

type Files = ArchivedFile[]

const encoder = new TextEncoder()
const jsonFile = (name: string, value: unknown): ArchivedFile => ({
  name,
  bytes: encoder.encode(JSON.stringify(value)),
})

async function kitFiles(context: ManagementContext, withContent: boolean): Promise<Files> {
  const { app, storage } = context
  const settings = await app.settings.read(storage)
  const { home } = settings
  const names = createNames(context.fileWords)
  const types = withContent ? postTypesOf(context).filter((type) => type !== 'revision') : [kitType]
  const rows = await readRows(context, {
    ...{ types, home },
    withTerms: withContent,
    isWanted: (_, meta) => meta[documentTypeKey] !== 'kit',
  })
  const title = await titleOfKit(context, settings.name)
  const { page_on_front: front, show_on_front: shown, page_for_posts: posts } = await storage.options.read(frontOptions)
  const frontPage = shown === 'page' ? Number(front) || 0 : 0
  const rules: ItemRules = {
    ...{ names, home, frontPage, numberOf: rows.numberOf },
    fieldsOf: declaredFields(context.persisted).posts,
    items: itemRulesOf(context),
    references: metaReferencesOf(context) as ItemRules['references'],
    addressOf: async (path) => (await context.mediaFiles?.addressOf(path)) ?? path,
  }
  const templates = rows.posts.filter(({ post }) => post.type === kitType)
  const others = rows.posts.filter(({ post }) => post.type !== kitType)
  const manifest = {
    ...{ name: toSlug(title) || 'kit', title, version: '2.0', site: home },
    ...(frontPage > 0 && shown === 'page' ? { posts_page: rows.numberOf('post', Number(posts) || 0) } : {}),
    templates: Object.fromEntries(templates.map((row) => [row.number, manifestEntry(row, { names, frontPage })])),
    content: contentOf(others.filter(isDocument), { names, frontPage }),
    taxonomies: taxonomiesIn(others, names),
  }
  return [
    jsonFile('manifest.json', manifest),
    jsonFile('site-settings.json', { content: [], settings: await designOf(context, rows), metadata: [] }),
    ...(await designFiles(context)),
    ...templates.map((row) => jsonFile(`templates/${row.number}.json`, documentOf(row, names))),
    ...others.filter(isDocument).map((row) => {
      return jsonFile(`content/${names.toPublic(row.post.type)}/${row.number}.json`, documentOf(row, names))
    }),
    ...termFiles(rows, names),
    ...(await itemFiles(others, rules)),
  ]
}

const frontOptions = ['page_on_front', 'show_on_front', 'page_for_posts']

/** A site whose kit has come with a document keeps the title of that. */
async function titleOfKit(context: ManagementContext, name: string): Promise<string> {
  const [option = ''] = kitRulesOf(context)?.stored ?? []
  const { [option]: id } = await context.storage.options.read([option])
  const [row] = await context.storage.posts.read([Number(id) || 0])
  return (row?.type === kitType && row.title) || name || 'Kit'
}

async function designOf(context: ManagementContext, { renumbered }: KitRows): Promise<Json> {
  const rules = kitRulesOf(context)
  const settings = rules?.settingsOf(await context.storage.options.read([...rules.stored])) ?? {}
  return renumbered({ [settingsKey]: settings })[settingsKey] ?? {}
}

async function designFiles(context: ManagementContext): Promise<Files> {
  const rules = [...kitFilesOf(context)]
  const stored = await context.storage.options.read(rules.map(([, { option }]) => option))
  return rules.flatMap(([name, { option, fileOf }]) => {
    const value = fileOf(stored[option])
    return value === undefined ? [] : [jsonFile(name, value)]
  })
}

function contentOf(rows: readonly KitRow[], rules: { readonly names: Names; readonly frontPage: number }) {
  const byType = Map.groupBy(rows, ({ post }) => rules.names.toPublic(post.type))
  const entries = [...byType].map(([type, all]) => [
    type,
    Object.fromEntries(all.map((row) => [row.number, manifestEntry(row, rules)])),
  ])
  return Object.fromEntries(entries)
}

/** Lists the taxonomies of each type. */
function taxonomiesIn(rows: readonly KitRow[], { toPublic }: Names): { readonly [type: string]: readonly string[] } {
  const found = Map.groupBy(
    rows.filter(({ terms }) => terms.length > 0),
    ({ post }) => toPublic(post.type),
  )
  const namesOf = (all: readonly KitRow[]) => [
    ...new Set(all.flatMap(({ terms }) => terms.map(({ taxonomy }) => toPublic(taxonomy)))),
  ]
  return Object.fromEntries([...found].map(([type, all]) => [type, namesOf(all).sort()]))
}

function termFiles({ terms, numberOf }: KitRows, { toPublic }: Names): Files {
  const byTaxonomy = Map.groupBy(terms, ({ term }) => toPublic(term.taxonomy))
  return [...byTaxonomy].map(([taxonomy, all]) => {
    const entries = all.map(({ number, meta, term: { name, slug, description, parent } }) => ({
      ...{ term_id: number, name, slug, taxonomy, description, parent: numberOf('term', parent) },
      ...(Object.keys(meta).length > 0 ? { meta } : {}),
    }))
    return jsonFile(`taxonomies/${taxonomy}.json`, entries)
  })
}

async function itemFiles(rows: readonly KitRow[], rules: ItemRules): Promise<Files> {
  const files: Files = []
  for (const [type, all] of Map.groupBy(rows, ({ post }) => rules.names.toPublic(post.type))) {
    const items = await Promise.all(all.map((row) => exportItem(row, rules)))
    const texts = [...exportFiles(rules.home, items)]
    for (const [index, text] of texts.entries()) {
      const name = `wp-content/${type}/${type}${index === 0 ? '' : `-${index + 1}`}.xml`
      files.push({ name, bytes: encoder.encode(text) })
    }
  }
  return files
}
