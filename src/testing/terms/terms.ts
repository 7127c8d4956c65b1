/** Terms: queries, slugs, the hierarchy, assignments. */
import { type ConformanceCase, conflicts, equal, isTrue, throws } from '../case.ts'
import { addPost, addPosts, addTerm, assign, findTerms, termsOf, termValues } from '../content.ts'

const inName = (text: string) => ({ text, fields: ['name' as const] })

export const termCases: readonly ConformanceCase[] = [
  {
    name: 'finds terms by taxonomy, id, slug and parent',
    async run(storage) {
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b', { parent: a })
      const c = await addTerm(storage, 'a', { taxonomy: 'tag' })
      const d = await addTerm(storage, "d'%", { taxonomy: 'menu', parent: b })
      equal(await findTerms(storage), [a, b, c, d], 'all')
      equal(await findTerms(storage, { taxonomies: ['tag', 'menu'] }), [c, d], 'taxonomies')
      equal(await findTerms(storage, { taxonomies: [] }), [], 'no taxonomies')
      equal(await findTerms(storage, { ids: [d, a, d, 999] }), [a, d], 'ids')
      equal(await findTerms(storage, { ids: [] }), [], 'no ids')
      equal(await findTerms(storage, { slugs: ['a', "d'%", 'B'] }), [a, c, d], 'slugs')
      equal(await findTerms(storage, { slugs: [] }), [], 'no slugs')
      equal(await findTerms(storage, { parents: [a, b] }), [b, d], 'parents')
      equal(await findTerms(storage, { parents: [0] }), [a, c], 'no parent')
      equal(await findTerms(storage, { parents: [] }), [], 'an empty list of parents')
      equal(await findTerms(storage, { taxonomies: ['category'], slugs: ['a'], ids: [a, c] }), [a], 'joined by AND')
      const nothing = { taxonomies: undefined, ids: undefined, search: undefined, usedBy: undefined, slugs: undefined }
      equal(await findTerms(storage, nothing), [a, b, c, d], 'undefined members')
    },
  },
  {
    name: 'returns terms as they were written',
    async run(storage) {
      const values = termValues('é-😀', { name: 'It\'s 100% "é" \\ 😀', description: 'a\nb'.repeat(1000), parent: 12 })
      const [id] = await storage.terms.insert([values])
      const { rows } = await storage.terms.query({ order: { by: 'id', descending: false }, offset: 0, limit: 9 })
      equal(rows, [{ id, ...values, count: 0 }], 'the row')
    },
  },
  {
    name: 'finds terms by a part of their folded name',
    async run(storage) {
      const a = await addTerm(storage, 'a', { name: 'Crème BRÛLÉE' })
      const b = await addTerm(storage, 'b', { name: '100% of it' })
      const c = await addTerm(storage, 'creme', { name: 'a_b 😀', description: 'creme' })
      equal(await findTerms(storage, { search: inName('creme br') }), [a], 'folded')
      equal(await findTerms(storage, { search: inName('%') }), [b], 'a sign')
      equal(await findTerms(storage, { search: inName('_') }), [c], 'another sign')
      equal(await findTerms(storage, { search: inName('😀') }), [c], 'an emoji')
      equal(await findTerms(storage, { search: inName('e') }), [a], 'one letter')
      equal(await findTerms(storage, { search: inName('a%b') }), [], 'a text that no name holds')
      await storage.terms.update([{ id: b, changes: { name: 'Creme' } }])
      equal(await findTerms(storage, { search: inName('creme') }), [a, b], 'after a change')
    },
  },
  {
    name: 'finds terms that posts of some types and statuses have',
    async run(storage) {
      const [post, draft, page] = (await addPosts(storage, [{}, { status: 'draft' }, { type: 'page' }])) as [
        number,
        number,
        number,
      ]
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b')
      const c = await addTerm(storage, 'c')
      const d = await addTerm(storage, 'd')
      await assign(storage, post, [a, d])
      await assign(storage, draft, [b])
      await assign(storage, page, [c, d])
      const published = { types: ['post'], statuses: ['publish'] }
      equal(await findTerms(storage, { usedBy: published }), [a, d], 'one type and status')
      const more = { types: ['post', 'page'], statuses: ['publish', 'draft'] }
      equal(await findTerms(storage, { usedBy: more }), [a, b, c, d], 'several')
      equal(
        await findTerms(storage, { usedBy: { types: ['page'], statuses: ['draft'] } }),
        [],
        'a combination that no term has',
      )
      equal(await findTerms(storage, { usedBy: { types: [], statuses: ['publish'] } }), [], 'no types')
      equal(await findTerms(storage, { usedBy: { types: ['post'], statuses: [] } }), [], 'no statuses')
      await storage.posts.update([{ id: post, changes: { status: 'trash' } }])
      equal(await findTerms(storage, { usedBy: published }), [], 'after a change of status')
    },
  },
  {
    name: 'orders terms by id and by folded name, in pages, with a total',
    async run(storage) {
      const names = ['zebra', 'éclair', '😀', 'Eclair', '\ue000', 'Apple']
      const ids = await storage.terms.insert(names.map((name, index) => termValues(`t${index}`, { name })))
      const byName = [5, 1, 3, 0, 4, 2].map((index) => ids[index] ?? 0)
      const order = { by: 'name', descending: false } as const
      equal(await findTerms(storage, { order }), byName, 'by name')
      equal(
        await findTerms(storage, { order: { by: 'name', descending: true } }),
        byName.toReversed(),
        'by name, last first',
      )
      equal(await findTerms(storage, { order: { by: 'id', descending: true } }), ids.toReversed(), 'by id, last first')
      equal(await findTerms(storage, { order, offset: 2, limit: 3 }), byName.slice(2, 5), 'a page')
      const counted = await storage.terms.query({ order, offset: 1, limit: 2, total: true })
      equal(counted.total, 6, 'the total')
      equal((await storage.terms.query({ order, offset: 1, limit: 2 })).total, 0, 'the total, not requested')
      const unknown = { by: 'weight', descending: false } as never
      await throws(() => findTerms(storage, { order: unknown }), 'an unknown order')
    },
  },
  {
    name: 'enforces unique slugs of terms within a taxonomy',
    async run(storage) {
      const a = await addTerm(storage, 'x')
      const b = await addTerm(storage, 'y')
      await conflicts('slug', () => addTerm(storage, 'x'), 'a second one')
      const rows = [termValues('new'), termValues('x')]
      await conflicts('slug', () => storage.terms.insert(rows), 'in a list')
      const updates = [
        { id: a, changes: { name: 'changed' } },
        { id: b, changes: { slug: 'x' } },
      ]
      await conflicts('slug', () => storage.terms.update(updates), 'in an update')
      equal(await findTerms(storage, { search: inName('changed') }), [], 'what the update wrote')
      const c = await addTerm(storage, 'x', { taxonomy: 'tag' })
      const d = await addTerm(storage, 'X')
      equal(await findTerms(storage), [a, b, c, d], 'the rows')
    },
  },
  {
    name: 'updates terms and returns their ids',
    async run(storage) {
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b')
      const updates = [
        { id: b, changes: { name: 'B', description: undefined } },
        { id: 999, changes: { name: 'unknown' } },
        { id: a, changes: { parent: b } },
      ]
      equal(await storage.terms.update(updates), [b, a], 'the ids')
      const { rows } = await storage.terms.query({ order: { by: 'id', descending: false }, offset: 0, limit: 9 })
      equal(
        rows,
        [
          { id: a, ...termValues('a', { parent: b }), count: 0 },
          { id: b, ...termValues('b', { name: 'B' }), count: 0 },
        ],
        'the rows',
      )
      equal(await storage.terms.insert([]), [], 'inserting nothing')
      equal(await storage.terms.update([]), [], 'updating nothing')
      for (const field of ['weight', 'id']) {
        const changes = { [field]: 7 } as never
        await throws(() => storage.terms.update([{ id: a, changes }]), `updating ${field}`)
        await throws(() => storage.terms.insert([{ ...termValues('c'), ...(changes as object) }]), `inserting ${field}`)
      }
      equal(await findTerms(storage), [a, b], 'the terms')
    },
  },
  {
    name: 'removes terms with their meta and assignments, and moves their children to the parent',
    async run(storage) {
      const top = await addTerm(storage, 'top')
      const middle = await addTerm(storage, 'middle', { parent: top })
      const low = await addTerm(storage, 'low', { parent: middle })
      const leaf = await addTerm(storage, 'leaf', { parent: low })
      const post = await addPost(storage)
      await assign(storage, post, [middle, leaf])
      await storage.meta.write('term', [
        { id: middle, key: 'k', value: 1 },
        { id: leaf, key: 'k', value: 2 },
      ])
      await storage.terms.remove([])
      await storage.terms.remove([middle, 999])
      equal(await findTerms(storage, { parents: [top] }), [low], 'the child of the removed one')
      equal(await termsOf(storage, [post]), [[post, leaf]], 'the terms of the post')
      equal(await storage.meta.read('term', [middle, leaf]), [{ id: leaf, key: 'k', value: 2 }], 'the meta')
      await storage.terms.remove([top, low])
      equal(await findTerms(storage, { parents: [0] }), [leaf], 'the child of two removed ones')
      const next = await addTerm(storage, 'next')
      await storage.terms.remove([next])
      isTrue((await addTerm(storage, 'last')) > next, 'a removed id is not reused')
    },
  },
  {
    name: 'moves children up past several removed terms, in any order of the ids',
    async run(storage) {
      for (const [round, order] of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
        [1, 2, 0],
      ].entries()) {
        const taxonomy = `t${round}`
        const top = await addTerm(storage, 'top', { taxonomy })
        const chain = [top]
        for (const slug of ['a', 'b', 'c', 'leaf']) {
          chain.push(await addTerm(storage, slug, { taxonomy, parent: chain.at(-1) ?? 0 }))
        }
        await storage.terms.remove(order.map((index) => chain[index + 1] ?? 0))
        equal(await findTerms(storage, { parents: [top] }), [chain[4]], `the leaf, removing ${order}`)
      }
    },
  },
  {
    name: 'returns the descendants of terms',
    async run(storage) {
      const a = await addTerm(storage, 'a')
      const c = await addTerm(storage, 'c')
      const b = await addTerm(storage, 'b', { parent: a })
      const d = await addTerm(storage, 'd', { parent: b })
      const e = await addTerm(storage, 'e', { parent: c })
      equal(await storage.terms.below([a]), [b, d], 'one term')
      equal(await storage.terms.below([c, a]), [b, d, e], 'two terms')
      equal(await storage.terms.below([a, b]), [b, d], 'a term and one below it')
      equal(await storage.terms.below([d, 999]), [], 'a leaf and an unknown one')
      equal(await storage.terms.below([]), [], 'no terms')
    },
  },
  {
    name: 'returns descendants when parents form a cycle',
    async run(storage) {
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b', { parent: a })
      const c = await addTerm(storage, 'c', { parent: b })
      await storage.terms.update([{ id: a, changes: { parent: c } }])
      const below = await storage.terms.below([a])
      isTrue(below.includes(b) && below.includes(c), `${below} holds ${b} and ${c}`)
      await storage.terms.update([{ id: b, changes: { parent: b } }])
      isTrue((await storage.terms.below([b])).includes(c), 'a term that is its own parent')
    },
  },
  {
    name: 'returns the terms of posts, ordered by post and term',
    async run(storage) {
      const [p, q, r] = (await addPosts(storage, [{}, {}, {}])) as [number, number, number]
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b', { taxonomy: 'tag' })
      const c = await addTerm(storage, 'c')
      await assign(storage, q, [c, a, c])
      await assign(storage, q, [b], 'tag')
      await assign(storage, p, [c])
      const expected = [
        { post: p, term: c, taxonomy: 'category' },
        { post: q, term: a, taxonomy: 'category' },
        { post: q, term: b, taxonomy: 'tag' },
        { post: q, term: c, taxonomy: 'category' },
      ]
      equal(await storage.terms.of([r, q, p, q, 999]), expected, 'the rows')
      equal(await storage.terms.of([]), [], 'no posts')
    },
  },
  {
    name: 'replaces the assigned terms of the same taxonomy',
    async run(storage) {
      const [p, q] = (await addPosts(storage, [{}, {}])) as [number, number]
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b')
      const t = await addTerm(storage, 't', { taxonomy: 'tag' })
      await storage.terms.assign([
        { post: p, taxonomy: 'category', terms: [a, b] },
        { post: p, taxonomy: 'tag', terms: [t] },
        { post: q, taxonomy: 'category', terms: [a] },
        { post: q, taxonomy: 'category', terms: [b] },
      ])
      const begun = [
        [p, a],
        [p, b],
        [p, t],
        [q, b],
      ]
      equal(await termsOf(storage, [p, q]), begun, 'at first')
      await storage.terms.assign([])
      await assign(storage, p, [b])
      await assign(storage, q, [])
      const after = [
        [p, b],
        [p, t],
      ]
      equal(await termsOf(storage, [p, q]), after, 'afterwards')
    },
  },
  {
    name: 'replaces the terms of many posts, of several taxonomies in turn, and with none',
    async run(storage) {
      const posts = await addPosts(
        storage,
        Array.from({ length: 12 }, () => ({})),
      )
      const a = await addTerm(storage, 'a')
      const b = await addTerm(storage, 'b')
      const t = await addTerm(storage, 't', { taxonomy: 'tag' })
      const both = (post: number, category: readonly number[], tag: readonly number[]) => [
        { post, taxonomy: 'category', terms: category },
        { post, taxonomy: 'tag', terms: tag },
      ]
      await storage.terms.assign(posts.flatMap((post) => both(post, [a, b], [t])))
      const begun = posts.flatMap((post) => [a, b, t].map((term) => [post, term]))
      equal(await termsOf(storage, posts), begun, 'at first')
      const unknown = [...posts.map((post) => ({ post, taxonomy: 'tag', terms: [] })), ...both(999, [], [])]
      await throws(() => storage.terms.assign(unknown), 'an unknown post without terms')
      equal(await termsOf(storage, posts), begun, 'after an unknown post')
      await storage.terms.assign(posts.flatMap((post, at) => both(post, [b], at % 2 === 0 ? [] : [t])))
      const after = posts.flatMap((post, at) => (at % 2 === 0 ? [b] : [b, t]).map((term) => [post, term]))
      equal(await termsOf(storage, posts), after, 'afterwards')
    },
  },
  {
    name: 'throws for unknown terms and posts in an assignment, and writes nothing',
    async run(storage) {
      const post = await addPost(storage)
      const a = await addTerm(storage, 'a')
      const t = await addTerm(storage, 't', { taxonomy: 'tag' })
      await throws(() => assign(storage, post, [a, 999]), 'an unknown term')
      await throws(() => assign(storage, post, [a, t]), 'a term of another taxonomy')
      await throws(() => assign(storage, 999, [a]), 'an unknown post')
      const half = [
        { post, taxonomy: 'category', terms: [a] },
        { post, taxonomy: 'tag', terms: [a] },
      ]
      await throws(() => storage.terms.assign(half), 'a good assignment and a bad one')
      equal(await termsOf(storage, [post]), [], 'what is stored')
    },
  },
]
