/** Keeps the graph of use in the transaction of each write. */
import type { Json, Storage } from '../../../contract/storage.ts'
import type { StoredReferences } from '../../../contract/stored-references.ts'
import type { RowChange } from '../../../core/changes/row-change.ts'
import type { MakeObserver } from '../../../core/declare/feature.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { type Edge, edgeKey, edgesOf, type NamingPart, usageEdges, usageStateOption } from './model.ts'
import { isNamingOption, namingKeys, partOfMeta, partOfPost, partOfTerms, partsOfOption } from './targets.ts'

/**
 * Each change names the records that its part named before and names now, so the edges that differ are known without reading any. After a
 * transaction with more changes than are listed, the graph is made anew when somebody asks for it.
 */
export const observeUsage: MakeObserver = ({ app }) => ({
  wants: (store, name = '') =>
    store === 'posts' ||
    store === 'assignments' ||
    (store === 'meta' && name === 'post') ||
    (store === 'options' && isNamingOption(name)),
  beforeCommit: async ({ changes, overflow }, transaction) => {
    if (overflow) return transaction.options.write({ [usageStateOption]: null })
    const { references } = app()
    const keys = new Set(namingKeys(references))
    const parts = changes.map((change) => changedParts(change, references, keys))
    const before = edgesOf(parts.flatMap((one) => one.before))
    const after = edgesOf(parts.flatMap((one) => one.after))
    const isOfCopy = await copiesAmong([...before, ...after], changes, transaction)
    const kept = (edges: readonly Edge[]) => edges.filter(({ source }) => !isOfCopy(source))
    await applyDifference(transaction, kept(before), kept(after))
  },
})

interface ChangedParts {
  readonly before: readonly NamingPart[]
  readonly after: readonly NamingPart[]
}

const unchanged: ChangedParts = { before: [], after: [] }

function changedParts(change: RowChange, references: StoredReferences, keys: ReadonlySet<string>): ChangedParts {
  switch (change.store) {
    case 'posts': {
      const { before, after } = change
      const isSame = before && after && namingColumns.every((column) => before[column] === after[column])
      if (isSame) return unchanged
      return {
        before: before ? [partOfPost(before, references)] : [],
        after: after ? [partOfPost(after, references)] : [],
      }
    }
    case 'assignments':
      return bothOf(change, (terms) => [partOfTerms(change.post, change.taxonomy, terms)])
    case 'meta':
      if (!keys.has(change.key)) return unchanged
      return bothOf(change, (value) => [partOfMeta(change.id, change.key, value, references)])
    case 'options':
      return bothOf(change, (value) => partsOfOption(change.name, value))
    default:
      return unchanged
  }
}

const namingColumns = ['content', 'excerpt', 'featuredMedia', 'parent'] as const

const bothOf = <T extends Json | readonly number[]>(
  { before, after }: { readonly before: T; readonly after: T },
  partsOf: (value: T) => readonly NamingPart[],
): ChangedParts => ({ before: partsOf(before), after: partsOf(after) })

/** A revision is a copy of its post. Its type is read where the transaction changes its meta alone. */
async function copiesAmong(
  edges: readonly Edge[],
  changes: readonly RowChange[],
  transaction: Storage,
): Promise<(source: string) => boolean> {
  const types = new Map<string, string | undefined>()
  for (const change of changes) {
    if (change.store === 'posts') types.set(`post:${change.id}`, (change.after ?? change.before)?.type)
  }
  const unknown = [...new Set(edges.map(({ source }) => source))].filter(
    (source) => source.startsWith('post:') && !types.has(source),
  )
  if (unknown.length > 0) {
    const posts = await transaction.posts.read(unknown.map((source) => Number(source.slice('post:'.length))))
    for (const { id, type } of posts) types.set(`post:${id}`, type)
  }
  return (source) => types.get(source) === revisionType
}

/** Writes the new edges, removes those that are gone, and returns how many both are. */
export async function applyDifference(
  storage: Storage,
  before: readonly Edge[],
  after: readonly Edge[],
): Promise<number> {
  const [old, now] = [keyed(before), keyed(after)]
  const added = [...now].filter(([key]) => !old.has(key)).map(([, edge]) => edge)
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, edge]) => edge)
  for (const [source, ofSource] of Map.groupBy(gone, (edge) => edge.source)) {
    for (const [part, ofPart] of Map.groupBy(ofSource, (edge) => edge.part)) {
      await storage.records.remove(usageEdges, {
        every: [
          { field: 'source', is: source },
          { field: 'part', is: part },
          { field: 'target', in: ofPart.map(({ target }) => target) },
        ],
      })
    }
  }
  if (added.length > 0)
    await storage.records.insert(
      usageEdges,
      added.map((edge) => ({ ...edge })),
    )
  return added.length + gone.length
}

const keyed = (edges: readonly Edge[]) => new Map(edges.map((edge) => [edgeKey(edge), edge]))
