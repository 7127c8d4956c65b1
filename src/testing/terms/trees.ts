/** Tests trees of terms: those with a published post, and those above one, after any changes. */
import type { MaybePromise, Storage, Term } from '../../contract/storage.ts'
import { atomicOn } from '../atomic.ts'
import { type ConformanceCase, equal, throws } from '../case.ts'
import { addPosts, termValues } from '../content.ts'

type Pick = <T>(values: readonly T[]) => T
type Change = (storage: Storage, pick: Pick, terms: readonly Term[], name: string) => MaybePromise<unknown>

const taxonomies = ['category', 'category', 'category', 'region'] as const
const maxTerms = 12
const order = { by: 'id', descending: false } as const
const page = { order, offset: 0, limit: 100, total: true } as const

const allTerms = async (storage: Storage) => (await storage.terms.query(page)).rows

/** Includes ids that the next terms will have. */
const parentsIn = (terms: readonly Term[]) => {
  const last = Math.max(0, ...terms.map(({ id }) => id))
  return [0, ...terms.map(({ id }) => id), last + 1, last + 2]
}

const insertTerms: Change = (storage, pick, terms, name) => {
  if (terms.length > maxTerms) return storage.terms.remove([pick(terms).id])
  const row = (at: number) => {
    const values = { taxonomy: pick(taxonomies), name: pick(['Moor', 'Fen', 'Heath']), parent: pick(parentsIn(terms)) }
    return termValues(`${name}-${at}`, values)
  }
  return storage.terms.insert(pick([1, 1, 4]) === 1 ? [row(0)] : [row(0), row(1), row(2), row(3)])
}

const moveTerms: Change = (storage, pick, terms) => {
  const moves = pick([[1], [1, 2, 3]]).map(() => ({ id: pick(terms).id, changes: { parent: pick(parentsIn(terms)) } }))
  return storage.terms.update(moves)
}

const changeTaxonomy: Change = (storage, pick, terms) =>
  storage.terms.update([{ id: pick(terms).id, changes: { taxonomy: pick(taxonomies) } }])

const removeTerms: Change = (storage, pick, terms) => storage.terms.remove([pick(terms).id, pick(terms).id])

const allPosts = async (storage: Storage) => (await storage.posts.query({ types: ['post'], ...page })).idsPage

const assignTerms: Change = async (storage, pick, terms) => {
  const taxonomy = pick(taxonomies)
  const known = terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
  const posts = await allPosts(storage)
  await storage.terms.assign(
    pick([[1], [1, 2]]).map(() => ({
      ...{ post: pick(posts).id, taxonomy },
      terms: known.length === 0 ? [] : pick([[], [1], [1, 2]]).map(() => pick(known)),
    })),
  )
}

const changeStatus: Change = async (storage, pick) => {
  const posts = await allPosts(storage)
  await storage.posts.update([{ id: pick(posts).id, changes: { status: pick(['publish', 'draft', 'trash']) } }])
}

const replacePost: Change = async (storage, pick) => {
  await storage.posts.remove([pick(await allPosts(storage)).id])
  await addPosts(storage, [{}])
}

const changes = [insertTerms, moveTerms, moveTerms, changeTaxonomy, removeTerms, assignTerms, assignTerms, changeStatus]

/** Makes the same changes for the same seed: trees, circles, and parents that do not exist yet. */
async function changeTermTrees(
  storage: Storage,
  { seed, turns }: { readonly seed: number; readonly turns: number },
  afterEach: (storage: Storage, turn: number) => Promise<void> = async () => undefined,
): Promise<void> {
  let state = seed
  const pick: Pick = (values) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    // The cast: no list is empty.
    return values[(state >>> 8) % values.length] as (typeof values)[number]
  }
  await addPosts(storage, [{}, {}, { status: 'draft' }])
  for (let turn = 0; turn < turns; turn++) {
    const terms = await allTerms(storage)
    const change = terms.length < 4 ? insertTerms : turn % 20 === 19 ? replacePost : pick(changes)
    await change(storage, pick, terms, `term-${seed}-${turn}`)
    await afterEach(storage, turn)
  }
}

/** The terms with a count and those above them, found by walks. */
function usedTerms(terms: readonly Term[]): number[] {
  const byId = new Map(terms.map((term) => [term.id, term]))
  const used = new Set<number>()
  for (const term of terms) {
    let at = term.count > 0 ? term : undefined
    while (at !== undefined && !used.has(at.id)) {
      used.add(at.id)
      at = byId.get(at.parent)
    }
  }
  return terms.map(({ id }) => id).filter((id) => used.has(id))
}

async function assertUsedTerms(storage: Storage, turn: number | string): Promise<void> {
  const terms = await allTerms(storage)
  const used = usedTerms(terms)
  for (const taxonomy of ['category', 'region']) {
    const expected = terms.filter((term) => term.taxonomy === taxonomy && used.includes(term.id)).map(({ id }) => id)
    for (const by of ['id', 'name', 'slug', 'description', 'count'] as const) {
      const query = { taxonomies: [taxonomy], counted: 'orBelow', ...page, order: { by, descending: true } } as const
      const { rows, total } = await storage.terms.query(query)
      equal(
        rows.map(({ id }) => id).sort((a, b) => a - b),
        expected,
        `${taxonomy} by ${by} after ${turn}`,
      )
      equal(total, expected.length, `the total of ${taxonomy} after ${turn}`)
    }
  }
}

export const termTreeCases: readonly ConformanceCase[] = [
  {
    name: 'finds used terms and those above them after any changes of terms, assignments and posts',
    async run(storage) {
      await changeTermTrees(storage, { seed: 7, turns: 80 }, assertUsedTerms)
    },
  },
  {
    name: 'finds used terms and those above them as they were before a transaction that failed',
    needs: 'atomic',
    async run(storage) {
      await changeTermTrees(storage, { seed: 11, turns: 30 })
      const before = await allTerms(storage)
      await throws(
        () =>
          atomicOn(storage)(async (transaction) => {
            await changeTermTrees(transaction, { seed: 13, turns: 30 })
            await assertUsedTerms(transaction, 'the changes inside')
            throw new Error('rolled back')
          }),
        'the transaction',
      )
      equal(await allTerms(storage), before, 'the terms')
      await assertUsedTerms(storage, 'the rollback')
    },
  },
]
