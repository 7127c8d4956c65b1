/** Makes documents of files: references lead to the documents of the same import, else to rows of this site. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { referencesIn, withIds } from '../../shared/references/element-references.ts'
import { idsOfComponents } from '../components/model.ts'
import { createDocument, freeTitle } from './copies.ts'
import { type DocumentFile, maxFiles } from './file.ts'
import { findDocument, kindNames, requireCreator, typeOfKind } from './kinds.ts'
import type { DocumentChanges, FullDocument } from './model.ts'
import { saveDocument } from './write.ts'

export interface ImportedDocuments {
  readonly documents: readonly FullDocument[]
  /** References to nothing on this site: 0 replaces them. */
  readonly unresolved: readonly string[]
}

/** Creates them as drafts of the caller. */
export async function importDocuments(context: Context, files: readonly DocumentFile[]): Promise<ImportedDocuments> {
  checkFiles(context, files)
  const keys = new Set(files.map(({ key }) => key))
  const names = new Map(files.map((file) => [file.key, namesIn(file)]))
  const outside = [...names.values()].flatMap((named) => [...named]).filter((name) => !keys.has(name))
  const ids = new Map(await findRows(context, [...new Set(outside)]))
  const made = new Map<string, FullDocument>()
  const idOf = (name: string) => made.get(name)?.post.id ?? ids.get(name) ?? 0
  const waiting = new Set(files)
  while (waiting.size > 0) {
    const isReady = ({ key }: DocumentFile) =>
      [...(names.get(key) ?? [])].every((name) => !keys.has(name) || made.has(name))
    const ready = [...waiting].filter(isReady)
    // Documents that name each other get their elements when all of them have ids.
    const next = ready.length > 0 ? ready : [...waiting]
    for (const file of next) {
      const parts = ready.length > 0 ? partsOf(file, idOf) : {}
      made.set(file.key, await createDocument(context, { ...(await newDocument(context, file)), ...parts }))
      waiting.delete(file)
    }
    if (ready.length === 0) for (const file of next) made.set(file.key, await fill(context, file, made, idOf))
  }
  return {
    documents: files.flatMap(({ key }) => made.get(key) ?? []),
    unresolved: [...new Set(outside)].filter((name) => !ids.has(name)),
  }
}

function checkFiles({ user }: Context, files: readonly DocumentFile[]): void {
  if (files.length === 0) throw new ApiError('no_documents', 'There is no document in the file.', 400)
  if (files.length > maxFiles)
    throw new ApiError('too_many_documents', `A file has ${maxFiles} documents at most.`, 400)
  if (new Set(files.map(({ key }) => key)).size < files.length) {
    throw new ApiError('repeated_document', 'Two documents have the same key.', 400)
  }
  for (const kind of kindNames) if (files.some((file) => file.kind === kind)) requireCreator(user, kind)
}

const newDocument = async (context: Context, { kind, type, title, slug, uid, props }: DocumentFile) => ({
  ...{ kind, type, slug, title: kind === 'component' ? await freeTitle(context, title) : title },
  ...(uid === undefined ? {} : { uid }),
  ...(props === undefined ? {} : { props }),
})

// The casts: a list stays a list, and an object an object.
const partsOf = ({ elements, settings }: DocumentFile, idOf: (name: string) => number): DocumentChanges => ({
  elements: withIds(elements, idOf) as unknown as DocumentFile['elements'],
  settings: withIds(settings, idOf) as unknown as DocumentFile['settings'],
})

async function fill(
  context: Context,
  file: DocumentFile,
  made: ReadonlyMap<string, FullDocument>,
  idOf: (name: string) => number,
): Promise<FullDocument> {
  const args = { id: made.get(file.key)?.post.id ?? 0 }
  const resource = await findDocument({ args, storage: context.storage })
  return saveDocument({ ...context, args, resource }, partsOf(file, idOf))
}

const namesIn = ({ elements, settings }: DocumentFile): ReadonlySet<string> => referencesIn([elements, settings])

// ---------------------------------------------------------------- rows of this site

const statuses = ['publish', 'inherit', 'future', 'draft', 'pending', 'private'].map((status) => ({ status }))
const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER, order: { by: 'id', descending: false } } as const

/** `media.pier`, `component.<uid>`, `term.category.news`, `user.ada`: the kind before the dot. One read for each kind. */
async function findRows({ storage }: Context, names: readonly string[]): Promise<[string, number][]> {
  const byKind = Map.groupBy(names, (name) => name.slice(0, name.indexOf('.')))
  const found = await Promise.all([...byKind].map(([kind, of]) => finderOf(kind)({ storage }, of)))
  return found.flat()
}

type Finder = (context: Pick<Context, 'storage'>, names: readonly string[]) => Promise<[string, number][]>

const afterKind = (name: string) => name.slice(name.indexOf('.') + 1)

function finderOf(kind: string): Finder {
  if (kind === 'component') return findComponents
  if (kind === 'term') return findTerms
  if (kind === 'user') return findUsers
  const own = kindNames.find((known) => known === kind)
  const fixed = kind === 'media' ? 'attachment' : own && typeOfKind(own).name
  return (context, names) => findPosts(context, names, fixed)
}

/** Other types of posts: `type.book.slug`. */
async function findPosts({ storage }: Pick<Context, 'storage'>, names: readonly string[], fixed: string | undefined) {
  const wanted = names.map((name) => {
    const [type = '', ...slug] = afterKind(name).split('.')
    return fixed === undefined ? { name, type, slug: slug.join('.') } : { name, type: fixed, slug: afterKind(name) }
  })
  const slugs = wanted.map(({ slug }) => slug).filter((slug) => slug !== '')
  if (slugs.length === 0) return []
  const { idsPage } = await storage.posts.query({ types: wanted.map(({ type }) => type), statuses, slugs, ...all })
  const rows = await storage.posts.read(idsPage.map(({ id }) => id))
  return wanted.flatMap(({ name, type, slug }): [string, number][] => {
    const row = rows.find((post) => post.type === type && post.slug === slug)
    return row ? [[name, row.id]] : []
  })
}

async function findComponents({ storage }: Pick<Context, 'storage'>, names: readonly string[]) {
  const ids = await idsOfComponents(storage)
  return names.flatMap((name): [string, number][] => {
    const id = ids.get(afterKind(name))
    return id === undefined ? [] : [[name, id]]
  })
}

async function findTerms({ storage }: Pick<Context, 'storage'>, names: readonly string[]) {
  const wanted = names.map((name) => {
    const [, taxonomy = '', ...slug] = name.split('.')
    return { name, taxonomy, slug: slug.join('.') }
  })
  const taxonomies = [...new Set(wanted.map(({ taxonomy }) => taxonomy))]
  const { rows } = await storage.terms.query({ ...all, taxonomies, slugs: wanted.map(({ slug }) => slug) })
  return wanted.flatMap(({ name, taxonomy, slug }): [string, number][] => {
    const row = rows.find((term) => term.taxonomy === taxonomy && term.slug === slug)
    return row ? [[name, row.id]] : []
  })
}

async function findUsers({ storage }: Pick<Context, 'storage'>, names: readonly string[]) {
  const { rows } = await storage.users.query({ ...all, slugs: names.map(afterKind) })
  return names.flatMap((name): [string, number][] => {
    const row = rows.find(({ slug }) => slug === afterKind(name))
    return row ? [[name, row.id]] : []
  })
}
