/** Writes documents as files: what their elements name is named by slug, login or uid. */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { toSlug } from '../../../site/slug.ts'
import { idsIn, withReferences } from '../../shared/references/element-references.ts'
import type { RowKind } from '../../shared/references/mapping.ts'
import { componentUids, propsOfComponents } from '../components/model.ts'
import { type DocumentFile, documentFile } from './file.ts'
import { kindOf, mayReadDocument } from './kinds.ts'
import type { SavedDocument } from './model.ts'

type ExportContext = Pick<Context, 'storage' | 'user'>

/** The keys are in the order of the documents. Two with the same name have different keys. */
export async function exportDocuments(
  context: ExportContext,
  documents: readonly SavedDocument[],
): Promise<DocumentFile[]> {
  const { storage } = context
  const named = await nameRows(context, documents)
  const components = documents.flatMap(({ kind, post }) => (kind === 'component' ? [post.id] : []))
  const [uids, props] = await Promise.all([componentUids(storage, components), propsOfComponents(storage, components)])
  const nameOf = (kind: RowKind, id: number) => named.get(`${kind} ${id}`)
  return documents.map(({ kind, type, post, elements, settings }) =>
    documentFile({
      ...{ key: nameOf('post', post.id) ?? '', kind, type, title: post.title, slug: post.slug },
      // The casts: a list stays a list, and an object an object.
      elements: withReferences(elements, nameOf) as unknown as DocumentFile['elements'],
      settings: withReferences(settings, nameOf) as unknown as DocumentFile['settings'],
      ...(uids.has(post.id) ? { uid: uids.get(post.id) ?? '' } : {}),
      ...(props.has(post.id) ? { props: props.get(post.id) ?? null } : {}),
    }),
  )
}

/** The names of all rows that the documents are or name, by `kind id`. Rows that the user may not read have none. */
async function nameRows({ storage, user }: ExportContext, documents: readonly SavedDocument[]) {
  const used = idsIn(documents.map(({ elements, settings }) => [elements, settings]))
  const own = documents.map(({ post }) => post)
  const ownIds = new Set(own.map(({ id }) => id))
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER, order: { by: 'id', descending: false } } as const
  const [read, terms, users] = await Promise.all([
    storage.posts.read([...used.post].filter((id) => !ownIds.has(id))),
    storage.terms.query({ ...all, ids: [...used.term] }),
    storage.users.query({ ...all, ids: [...used.user] }),
  ])
  const others = read.filter((post) => isShown(user, post))
  const posts = [...own, ...others]
  const uids = await componentUids(
    storage,
    posts.map(({ id }) => id),
  )
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const lastNumbers = new Map<string, number>()
  const add = (row: string, base: string) => {
    let name = base
    let number = lastNumbers.get(base) ?? 1
    while (taken.has(name)) name = `${base}-${++number}`
    lastNumbers.set(base, number)
    taken.add(name)
    names.set(row, name)
  }
  for (const post of posts) add(`post ${post.id}`, nameOfPost(post, uids.get(post.id)))
  for (const { id, taxonomy, slug } of terms.rows) add(`term ${id}`, `term.${taxonomy}.${slug}`)
  for (const { id, slug } of users.rows) add(`user ${id}`, `user.${slug}`)
  return names
}

/** Published posts and files are no secret; of other documents those that the user may read. */
const isShown = (user: Context['user'], post: Post): boolean =>
  post.status === 'publish' || post.status === 'inherit' || (kindOf(post) !== undefined && mayReadDocument(user, post))

const nameOfPost = (post: Post, uid: string | undefined): string => {
  const kind = post.type === 'attachment' ? 'media' : (kindOf(post) ?? `type.${post.type}`)
  return `${kind}.${uid || post.slug || toSlug(post.title) || 'untitled'}`
}
