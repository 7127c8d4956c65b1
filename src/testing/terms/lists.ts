/** Lists of terms: counts, conditions, orders. */
import type { Storage, TermQuery } from '../../contract/storage.ts'
import { type ConformanceCase, equal, throws } from '../case.ts'
import { addPost, addPosts, addTerm, assign, findTerms, termValues } from '../content.ts'

export const termListCases: readonly ConformanceCase[] = [
  {
    name: 'counts the published posts of terms',
    async run(storage) {
      const [a, b] = (await storage.terms.insert([termValues('a'), termValues('b')])) as [number, number]
      const [post, draft, page] = (await addPosts(storage, [{}, { status: 'draft' }, { type: 'page' }])) as [
        number,
        number,
        number,
      ]
      equal(await counts(storage, a, b), [0, 0], 'at first')
      await assign(storage, post, [a, b])
      await assign(storage, draft, [a])
      await assign(storage, page, [b])
      equal(await counts(storage, a, b), [1, 2], 'of posts of any type')
      await storage.posts.update([{ id: draft, changes: { status: 'publish' } }])
      equal(await counts(storage, a, b), [2, 2], 'after publishing')
      await storage.posts.update([{ id: draft, changes: { title: 'changed', status: 'publish' } }])
      equal(await counts(storage, a, b), [2, 2], 'after a change without another status')
      await storage.posts.update([{ id: post, changes: { status: 'trash' } }])
      equal(await counts(storage, a, b), [1, 1], 'after a move to the trash')
      await storage.posts.update([{ id: post, changes: { status: 'publish' }, when: { version: 99 } }])
      equal(await counts(storage, a, b), [1, 1], 'after an update that does not apply')
      await assign(storage, draft, [b])
      equal(await counts(storage, a, b), [0, 2], 'after another assignment')
      await storage.posts.remove([page])
      equal(await counts(storage, a, b), [0, 1], 'after a removal')
      await storage.terms.update([{ id: b, changes: { name: 'changed' } }])
      equal(await counts(storage, a, b), [0, 1], 'after an update of the term')
      await throws(() => storage.terms.update([{ id: b, changes: { count: 5 } as never }]), 'writing a count')
    },
  },
  {
    name: 'rolls back the counts of terms',
    needs: 'atomic',
    async run(storage) {
      const a = await addTerm(storage, 'a')
      const post = await addPost(storage)
      await assign(storage, post, [a])
      await throws(
        () =>
          storage.atomic!(async (transaction) => {
            await transaction.posts.update([{ id: post, changes: { status: 'draft' } }])
            equal(await counts(transaction, a), [0], 'inside')
            throw new Error('rolled back')
          }),
        'the transaction',
      )
      equal(await counts(storage, a), [1], 'after the rollback')
    },
  },
  {
    name: 'finds terms with a count, and terms above such terms',
    async run(storage) {
      const top = await addTerm(storage, 'top')
      const middle = await addTerm(storage, 'middle', { parent: top })
      const low = await addTerm(storage, 'low', { parent: middle })
      const empty = await addTerm(storage, 'empty', { parent: top })
      const post = await addPost(storage)
      await assign(storage, post, [low])
      equal(await findTerms(storage, { counted: 'itself' }), [low], 'itself')
      equal(await findTerms(storage, { counted: 'orBelow' }), [top, middle, low], 'or below')
      await storage.terms.update([{ id: top, changes: { parent: low } }])
      equal(await findTerms(storage, { counted: 'orBelow' }), [top, middle, low], 'in a circle')
      await storage.posts.update([{ id: post, changes: { status: 'private' } }])
      equal(await findTerms(storage, { counted: 'orBelow' }), [], 'without published posts')
      equal(await findTerms(storage), [top, middle, low, empty], 'without the condition')
      await throws(() => findTerms(storage, { counted: 'often' as never }), 'an unknown value')
    },
  },
  {
    name: 'counts the terms of taxonomies, of those with a count, and without excluded ones',
    async run(storage) {
      const [a, b] = (await storage.terms.insert([termValues('a'), termValues('b')])) as [number, number]
      const c = await addTerm(storage, 'c', { taxonomy: 'tag' })
      const total = async (query: Partial<TermQuery>) => {
        const order = { by: 'description', descending: true } as const
        return (await storage.terms.query({ ...query, order, offset: 0, limit: 1, total: true })).total
      }
      const totals = async () => [
        await total({ taxonomies: ['category'] }),
        await total({ taxonomies: ['category'], counted: 'itself' }),
        await total({ taxonomies: ['tag', 'category', 'tag'] }),
        await total({ taxonomies: ['category'], counted: 'itself', notIds: [b, b, c, 999] }),
      ]
      equal(await totals(), [2, 0, 3, 0], 'at first')
      const post = await addPost(storage)
      await assign(storage, post, [a, b])
      equal(await totals(), [2, 2, 3, 1], 'after an assignment')
      equal(
        await total({ taxonomies: ['category'], notIds: [a, c] }),
        1,
        'without one of this and one of another taxonomy',
      )
      await storage.terms.update([{ id: b, changes: { taxonomy: 'tag' } }])
      equal(await totals(), [1, 1, 3, 1], 'after a move to another taxonomy')
      equal(await total({ taxonomies: ['tag'], counted: 'itself' }), 1, 'of the other taxonomy')
      await storage.terms.remove([b])
      equal(await totals(), [1, 1, 2, 1], 'after the removal of a term')
      await storage.posts.update([{ id: post, changes: { status: 'draft' } }])
      equal(await totals(), [1, 0, 2, 0], 'without published posts')
      await storage.terms.remove([a, c])
      equal(await totals(), [0, 0, 0, 0], 'after the removal of all')
      equal(await total({ taxonomies: [] }), 0, 'of no taxonomy')
    },
  },
  {
    name: 'finds terms by name, by exclusion and by post',
    async run(storage) {
      const a = await addTerm(storage, 'a', { name: 'Crème' })
      const b = await addTerm(storage, 'b', { name: 'creme fraîche' })
      const c = await addTerm(storage, 'c', { name: 'CREME', taxonomy: 'tag' })
      const d = await addTerm(storage, 'd', { name: 'crème', taxonomy: 'tag' })
      equal(await findTerms(storage, { names: ['CRÈME'] }), [a, d], 'a name in another case')
      equal(await findTerms(storage, { names: ['cre\u0300me'], taxonomies: ['tag'] }), [d], 'of a taxonomy, in NFD')
      equal(await findTerms(storage, { names: ['Creme'] }), [c], 'a name without a mark')
      equal(await findTerms(storage, { names: ['crème', 'creme fraîche', 'x'] }), [a, b, d], 'several names')
      await storage.terms.update([{ id: d, changes: { name: 'क' } }])
      equal(await findTerms(storage, { names: ['कि'] }), [], 'a name with a vowel')
      equal(await findTerms(storage, { names: ['क'] }), [d], 'a name after an update')
      await storage.terms.remove([d])
      equal(await findTerms(storage, { names: [] }), [], 'no names')
      equal(await findTerms(storage, { notIds: [a, 999] }), [b, c], 'without one')
      equal(await findTerms(storage, { notIds: [] }), [a, b, c], 'without none')
      const [post, other] = (await addPosts(storage, [{ status: 'draft' }, {}])) as [number, number]
      await assign(storage, post, [a])
      await assign(storage, post, [c], 'tag')
      await assign(storage, other, [a, b])
      equal(await findTerms(storage, { posts: [post] }), [a, c], 'of a post')
      equal(await findTerms(storage, { posts: [post], taxonomies: ['category'] }), [a], 'of a post and a taxonomy')
      equal(await findTerms(storage, { posts: [post, other] }), [a, b, c], 'of two posts')
      equal(await findTerms(storage, { posts: [] }), [], 'of no posts')
    },
  },
  {
    name: 'finds terms by a part of their name or slug',
    async run(storage) {
      const a = await addTerm(storage, 'red-wine', { name: 'Drinks' })
      const b = await addTerm(storage, 'b', { name: 'Red' })
      const search = (text: string, fields: readonly ('name' | 'slug')[]) =>
        findTerms(storage, { search: { text, fields } })
      equal(await search('red', ['name', 'slug']), [a, b], 'in both')
      equal(await search('red', ['slug']), [a], 'in the slug')
      equal(await search('red', ['name']), [b], 'in the name')
      equal(await search('red', []), [], 'in no field')
      await throws(() => search('red', ['description' as never]), 'in an unknown field')
    },
  },
  {
    name: 'orders terms by slug, description and count',
    async run(storage) {
      const values = [
        termValues('b', { description: 'x' }),
        termValues('a', { description: 'y' }),
        termValues('c', { description: 'x' }),
      ]
      const [b, a, c] = (await storage.terms.insert(values)) as [number, number, number]
      const [first, second] = (await addPosts(storage, [{}, {}])) as [number, number]
      await assign(storage, first, [a])
      await assign(storage, second, [a])
      const inOrder = async (by: 'slug' | 'description' | 'count', descending: boolean) =>
        findTerms(storage, { order: { by, descending } })
      const orders = { slug: [a, b, c], description: [b, c, a], count: [b, c, a] } as const
      for (const by of ['slug', 'description', 'count'] as const) {
        equal(await inOrder(by, false), orders[by], `by ${by}`)
        equal(await inOrder(by, true), orders[by].toReversed(), `by ${by}, last first`)
      }
    },
  },
]

/** Returns the counts in the order of the ids. */
async function counts(storage: Storage, ...ids: readonly number[]): Promise<number[]> {
  const { rows } = await storage.terms.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: 99 })
  return rows.map(({ count }) => count)
}
