/** Makes the graph of use of a whole site, and compares the stored one with it. */
import type { Post, Storage } from '../../../contract/storage.ts'
import type { StoredReferences } from '../../../contract/stored-references.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { type Edge, edgesOf, type NamingPart, usageEdges, usageStateOption } from './model.ts'
import { applyDifference } from './record.ts'
import { isNamingOption, namingKeys, partOfMeta, partOfPost, partOfTerms, partsOfOption } from './targets.ts'

const windowSize = 200
/** A write beside a pass may change what the pass has read before: another pass finds it. */
const mostPasses = 5

/** Makes the graph where there is none, or one that is not complete. */
export async function ensureGraph(storage: Storage, references: StoredReferences): Promise<void> {
  const { [usageStateOption]: isComplete } = await storage.options.read([usageStateOption])
  if (isComplete !== true) await repairGraph(storage, references)
}

/** Returns how many edges were missing or needless. */
export async function repairGraph(storage: Storage, references: StoredReferences): Promise<number> {
  const first = await repairOnce(storage, references)
  for (let pass = 1, differences = first; differences > 0 && pass < mostPasses; pass++) {
    differences = await repairOnce(storage, references)
  }
  await storage.options.write({ [usageStateOption]: true })
  return first
}

async function repairOnce(storage: Storage, references: StoredReferences): Promise<number> {
  let differences = 0
  for (let offset = 0, isLast = false; !isLast; offset += windowSize) {
    differences += await retryTransaction(storage, async (on) => {
      const { idsPage } = await on.posts.query({
        types: references.postTypes.filter((type) => type !== revisionType),
        order: { by: 'id', descending: false },
        ...{ offset, limit: windowSize },
      })
      isLast = idsPage.length < windowSize
      const ids = idsPage.map(({ id }) => id)
      const sources = ids.map((id) => `post:${id}`)
      return applyDifference(on, await storedEdges(on, sources), await edgesOfPosts(on, ids, references))
    })
  }
  differences += await retryTransaction(storage, (on) => repairOptions(on))
  return differences + (await removeEdgesOfNone(storage, references))
}

const storedEdges = async (storage: Storage, sources: readonly string[]): Promise<Edge[]> => {
  const { rows } = await storage.records.query(usageEdges, { where: { field: 'source', in: sources } })
  return rows.map(({ source, part, target }) => ({
    ...{ source: String(source), part: String(part), target: String(target) },
  }))
}

async function edgesOfPosts(storage: Storage, ids: readonly number[], references: StoredReferences): Promise<Edge[]> {
  if (ids.length === 0) return []
  const [posts, meta, terms] = await Promise.all([
    storage.posts.read(ids),
    storage.meta.read('post', ids, namingKeys(references)),
    storage.terms.of(ids),
  ])
  const assignments = Map.groupBy(terms, ({ post, taxonomy }) => JSON.stringify([post, taxonomy]))
  return edgesOf([
    ...posts.map((post: Post) => partOfPost(post, references)),
    ...meta.map(({ id, key, value }) => partOfMeta(id, key, value, references)),
    ...[...assignments.values()].flatMap((ofPost): NamingPart[] => {
      const [first] = ofPost
      return first
        ? [
            partOfTerms(
              first.post,
              first.taxonomy,
              ofPost.map(({ term }) => term),
            ),
          ]
        : []
    }),
  ])
}

async function repairOptions(storage: Storage): Promise<number> {
  const options = await storage.options.read()
  const parts = Object.entries(options).flatMap(([name, value]) =>
    isNamingOption(name) ? partsOfOption(name, value) : [],
  )
  const { rows } = await storage.records.query(usageEdges, { where: { field: 'part', is: 'value' } })
  const stored = rows.map(({ source, target }) => ({
    ...{ source: String(source), part: 'value', target: String(target) },
  }))
  return applyDifference(storage, stored, edgesOf(parts))
}

/** Removes the edges of posts that are gone, or that became revisions. */
async function removeEdgesOfNone(storage: Storage, { postTypes }: StoredReferences): Promise<number> {
  const types = new Set(postTypes)
  let removed = 0
  for (let last = 0; ; ) {
    const { rows } = await storage.records.query(usageEdges, {
      where: { every: [{ field: 'id', above: last }, { not: { field: 'part', is: 'value' } }] },
      order: [{ by: 'id' }],
      limit: windowSize,
    })
    const ids = [...new Set(rows.map(({ source }) => Number(String(source).slice('post:'.length))))]
    const posts = await storage.posts.read(ids)
    const kept = new Set(posts.filter(({ type }) => types.has(type) && type !== revisionType).map(({ id }) => id))
    const gone = ids.filter((id) => !kept.has(id))
    if (gone.length > 0) {
      const sources = gone.map((id) => `post:${id}`)
      removed += await storage.records.remove(usageEdges, { field: 'source', in: sources })
    }
    if (rows.length < windowSize) return removed
    last = rows.at(-1)?.id ?? last
  }
}
