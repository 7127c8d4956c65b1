/** Posts: inserts, updates, removals, and the rules for slugs, versions and ids. */
import { type ConformanceCase, conflicts, equal, isTrue, runConcurrently, settledIds, throws } from '../case.ts'
import { addPost, addPosts, addTerm, assign, findPosts, postValues, termsOf } from '../content.ts'

export const postWriteCases: readonly ConformanceCase[] = [
  {
    name: 'assigns ascending ids to new posts, in the order of the rows',
    async run(storage) {
      const ids = await addPosts(storage, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
      equal(
        ids,
        ids.toSorted((a, b) => a - b),
        'the order of the ids',
      )
      equal(new Set(ids).size, 3, 'the number of ids')
      isTrue(
        ids.every((id) => Number.isSafeInteger(id) && id > 0),
        `${ids} are integers above 0`,
      )
      const rows = await storage.posts.read(ids)
      equal(
        rows.map((row) => row.title),
        ['a', 'b', 'c'],
        'the rows of the ids',
      )
      const next = await addPost(storage)
      isTrue(next > Math.max(...ids), 'a later id is higher')
    },
  },
  {
    name: 'never reuses the id of a removed post',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{}, {}])) as [number, number]
      await storage.posts.remove([b])
      const c = await addPost(storage)
      isTrue(c > b, `${c} is above ${b}`)
      await storage.posts.remove([a, c])
      const d = await addPost(storage)
      isTrue(d > c, `${d} is above ${c}`)
    },
  },
  {
    name: 'writes nothing for empty lists of posts',
    async run(storage) {
      const ids = await addPosts(storage, [{}])
      equal(await storage.posts.insert([]), [], 'inserting')
      equal(await storage.posts.update([]), [], 'updating')
      await storage.posts.remove([])
      equal(await storage.posts.takenSlugs('post', []), [], 'slugs')
      equal(await storage.posts.childCounts('post', []), [], 'childCounts')
      equal(await findPosts(storage), ids, 'what is stored')
    },
  },
  {
    name: 'enforces unique slugs within a type and below a parent',
    async run(storage) {
      const a = await addPost(storage, { slug: 'x' })
      await conflicts('slug', () => addPost(storage, { slug: 'x' }), 'a second one')
      await conflicts('slug', () => addPosts(storage, [{ slug: 'y' }, { slug: 'y' }]), 'two at once')
      const [b, c] = await addPosts(storage, [{ slug: 'x', type: 'page' }, { slug: 'X' }])
      equal(await findPosts(storage, { types: ['post', 'page'] }), [a, b, c], 'of another type, in another case')
      const [d, e] = (await addPosts(storage, [
        { slug: 'x', parent: 7 },
        { slug: 'x', parent: 8 },
      ])) as [number, number]
      await conflicts('slug', () => addPost(storage, { slug: 'x', parent: 7 }), 'a second one below a parent')
      await conflicts('slug', () => storage.posts.update([{ id: e, changes: { parent: 7 } }]), 'a move below it')
      equal(
        (await storage.posts.read([d, e])).map(({ parent }) => parent),
        [7, 8],
        'the parents',
      )
    },
  },
  {
    name: 'allows several posts with an empty slug, and revisions with any equal slug',
    async run(storage) {
      const [a, b, c, d] = await addPosts(storage, [
        {},
        {},
        { type: 'revision', slug: '1-revision' },
        { type: 'revision', slug: '1-revision' },
      ])
      equal(await findPosts(storage, { types: ['post', 'revision'] }), [a, b, c, d], 'the rows')
    },
  },
  {
    name: 'writes nothing of an insert with a taken slug',
    async run(storage) {
      const a = await addPost(storage, { slug: 'x' })
      await conflicts('slug', () => addPosts(storage, [{ slug: 'new' }, { slug: 'x' }, { slug: 'z' }]), 'the insert')
      equal(await findPosts(storage), [a], 'what is stored')
      const b = await addPost(storage, { slug: 'new' })
      equal(await findPosts(storage), [a, b], 'afterwards')
    },
  },
  {
    name: 'writes nothing of an update with a taken slug',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{ slug: 'x' }, { slug: 'y' }])) as [number, number]
      const before = await storage.posts.read([a, b])
      const updates = [
        { id: a, changes: { title: 'changed' } },
        { id: b, changes: { slug: 'x' } },
      ]
      await conflicts('slug', () => storage.posts.update(updates), 'a taken slug')
      const page = await addPost(storage, { slug: 'x', type: 'page' })
      await conflicts('slug', () => storage.posts.update([{ id: page, changes: { type: 'post' } }]), 'a change of type')
      equal(await storage.posts.read([a, b]), before, 'the rows')
    },
  },
  {
    name: 'frees a slug with an update or a removal, also within one call',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{ slug: 'x' }, { slug: 'y' }])) as [number, number]
      await storage.posts.update([{ id: a, changes: { slug: 'x' } }])
      const moves = [
        { id: a, changes: { slug: 'z' } },
        { id: b, changes: { slug: 'x' } },
      ]
      equal(await storage.posts.update(moves), [a, b], 'one after another')
      const c = await addPost(storage, { slug: 'y' })
      await storage.posts.remove([a])
      const d = await addPost(storage, { slug: 'z' })
      const rows = await storage.posts.read([b, c, d])
      equal(
        rows.map((row) => row.slug),
        ['x', 'y', 'z'],
        'the slugs',
      )
    },
  },
  {
    name: 'lets exactly one of many parallel inserts of a slug succeed',
    async run(storage) {
      const inserts = Array.from(
        { length: 20 },
        (_, index) => () => addPosts(storage, [{ title: `${index}` }, { slug: 'x' }]),
      )
      const results = await runConcurrently(inserts)
      equal(results.filter((result) => result.status === 'fulfilled').length, 1, 'how many had it')
      for (const result of results) {
        if (result.status === 'rejected') await conflicts('slug', () => Promise.reject(result.reason), 'the others')
      }
      equal((await findPosts(storage)).length, 2, 'the rows')
    },
  },
  {
    name: 'returns the taken slugs of a type',
    async run(storage) {
      await addPosts(storage, [{ slug: 'x' }, { slug: 'y' }, { slug: 'z', type: 'page' }, { slug: "a'%_" }])
      const taken = await storage.posts.takenSlugs('post', ['y', 'X', 'z', 'unknown', 'x', "a'%_", 'a%', 'x'])
      equal(taken.toSorted(), ["a'%_", 'x', 'y'], 'the slugs')
      equal(await storage.posts.takenSlugs('unknown', ['x']), [], 'of an unknown type')
    },
  },
  {
    name: 'returns the taken slugs below a parent',
    async run(storage) {
      await addPosts(storage, [
        { slug: 'x' },
        { slug: 'x', parent: 3 },
        { slug: 'y', parent: 3 },
        { slug: 'z', parent: 4 },
      ])
      const taken = async (slugs: readonly string[], parent?: number) =>
        (await storage.posts.takenSlugs('post', slugs, parent)).toSorted()
      equal(await taken(['x', 'y', 'z'], 3), ['x', 'y'], 'of several slugs')
      equal(await taken(['x'], 4), [], 'of one slug that another parent has')
      equal(await taken(['x'], 0), ['x'], 'without a parent')
      equal(await taken(['x', 'y', 'z']), ['x', 'y', 'z'], 'below any parent')
      equal(await taken([], 3), [], 'of no slugs')
    },
  },
  {
    name: 'updates the given values and increments the version',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{ title: 'a' }, { title: 'b' }])) as [number, number]
      const updates = [
        { id: b, changes: { title: 'B', sticky: true, dateGmt: null } },
        { id: 999, changes: { title: 'unknown' } },
        { id: a, changes: { title: undefined, excerpt: 'A' } },
      ]
      equal(await storage.posts.update(updates), [b, a], 'the ids')
      const [first, second] = await storage.posts.read([a, b])
      equal(first, { id: a, ...postValues({ title: 'a', excerpt: 'A' }), version: 2 }, 'the first')
      equal(second, { id: b, ...postValues({ title: 'B', sticky: true, dateGmt: null }), version: 2 }, 'the second')
      equal(await storage.posts.update([{ id: a, changes: {} }]), [a], 'an update without changes')
      const twice = [
        { id: a, changes: { title: '1' } },
        { id: a, changes: { excerpt: '2' } },
      ]
      equal(await storage.posts.update(twice), [a, a], 'two updates of one post')
      const [row] = await storage.posts.read([a])
      equal(row, { id: a, ...postValues({ title: '1', excerpt: '2' }), version: 5 }, 'after all')
    },
  },
  {
    name: 'gives many posts the same values, and returns the ids of those that exist',
    async run(storage) {
      const ids = (await addPosts(storage, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])) as [
        number,
        number,
        number,
      ]
      const [a, b, c] = ids
      const alike = [c, 999, a, b].map((id) => ({ id, changes: { author: 7, sticky: true, dateGmt: null } }))
      equal(await storage.posts.update(alike), [c, a, b], 'the ids')
      for (const [at, row] of (await storage.posts.read(ids)).entries()) {
        const title = 'abc'.charAt(at)
        equal(row, { id: ids[at], ...postValues({ title, author: 7, sticky: true, dateGmt: null }), version: 2 }, title)
      }
      const twice = [a, b, a].map((id) => ({ id, changes: { title: 'same' } }))
      equal(await storage.posts.update(twice), [a, b, a], 'one of them twice')
      const none = [a, b].map((id) => ({ id, changes: {} }))
      equal(await storage.posts.update(none), [a, b], 'without changes')
      const versions = (await storage.posts.read(ids)).map(({ version }) => version)
      equal(versions, [5, 4, 2], 'the versions')
      const slugs = [a, b].map((id) => ({ id, changes: { slug: 'same' } }))
      await conflicts('slug', () => storage.posts.update(slugs), 'one slug for two')
      const kept = (await storage.posts.read(ids)).map(({ version }) => version)
      equal(kept, versions, 'after a conflict')
    },
  },
  {
    name: 'updates a post only if it has the expected version and status',
    async run(storage) {
      const id = await addPost(storage, { status: 'draft' })
      const update = (when: { version?: number; status?: string }) => storage.posts.update([{ id, changes: {}, when }])
      equal(await update({ version: 2 }), [], 'another version')
      equal(await update({ status: 'publish' }), [], 'another status')
      equal(await update({ version: 1, status: 'publish' }), [], 'the version, another status')
      equal(await update({ version: 1, status: 'draft' }), [id], 'both')
      equal(await update({ version: 2 }), [id], 'the version')
      equal(await update({ status: 'draft', version: undefined }), [id], 'the status')
      equal(await update({}), [id], 'no condition')
      const [row] = await storage.posts.read([id])
      equal(row?.version, 5, 'the version')
      const racing = [1, 2].map((n) => ({ id, changes: { title: `${n}` }, when: { version: 5 } }))
      equal(await storage.posts.update(racing), [id], 'two in one call')
      equal((await storage.posts.read([id]))[0]?.title, '1', 'the first of them')
    },
  },
  {
    name: 'applies exactly one of many parallel updates that expect the same version',
    async run(storage) {
      const id = await addPost(storage)
      const updates = Array.from(
        { length: 20 },
        (_, index) => () => storage.posts.update([{ id, changes: { title: `${index}` }, when: { version: 1 } }]),
      )
      const results = await runConcurrently(updates)
      const applied = settledIds(results)
      equal(applied, [id], 'the ids')
      equal((await storage.posts.read([id]))[0]?.version, 2, 'the version')
    },
  },
  {
    name: 'throws for unknown fields of a post, and writes nothing',
    async run(storage) {
      const id = await addPost(storage, { title: 'a' })
      const before = await storage.posts.read([id])
      for (const field of ['weight', 'id', 'version']) {
        // The casts: a caller without types could pass these.
        const row = { ...postValues(), [field]: 1 } as never
        await throws(() => storage.posts.insert([postValues(), row]), `inserting ${field}`)
        const changes = { [field]: 1 } as never
        const updates = [
          { id, changes: { title: 'b' } },
          { id, changes },
        ]
        await throws(() => storage.posts.update(updates), `updating ${field}`)
      }
      equal(await findPosts(storage), [id], 'what is stored')
      equal(await storage.posts.read([id]), before, 'the row')
    },
  },
  {
    name: 'removes posts with their meta and terms but not their children',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{}, {}])) as [number, number]
      const child = await addPost(storage, { parent: a })
      const term = await addTerm(storage, 'x')
      await assign(storage, a, [term])
      await assign(storage, b, [term])
      await storage.meta.write('post', [
        { id: a, key: 'k', value: 1 },
        { id: b, key: 'k', value: 2 },
      ])
      await storage.meta.write('user', [{ id: a, key: 'k', value: 3 }])
      await storage.posts.remove([a, 999, a])
      equal(await findPosts(storage), [b, child], 'the posts')
      equal(await storage.posts.read([a]), [], 'the removed one')
      equal(await termsOf(storage, [a, b, child]), [[b, term]], 'the terms')
      equal(await storage.meta.read('post', [a, b]), [{ id: b, key: 'k', value: 2 }], 'the meta')
      equal(await storage.meta.read('user', [a]), [{ id: a, key: 'k', value: 3 }], 'the meta of a user with that id')
      equal((await storage.posts.read([child]))[0]?.parent, a, 'the parent of the child')
    },
  },
  {
    name: 'counts the children of a type by parent',
    async run(storage) {
      const revision = (parent: number) => ({ type: 'revision', slug: 'r', parent })
      const rows = [revision(7), revision(8), revision(7), { type: 'page', parent: 7 }, revision(7), revision(9)]
      const ids = await addPosts(storage, rows)
      const childCounts = await storage.posts.childCounts('revision', [8, 7, 10, 7])
      const expected = [
        { parent: 7, count: 3, latest: ids[4] },
        { parent: 8, count: 1, latest: ids[1] },
      ]
      equal(
        childCounts.toSorted((a, b) => a.parent - b.parent),
        expected,
        'the child counts',
      )
      await storage.posts.remove([ids[4] ?? 0, ids[1] ?? 0])
      const fewer = await storage.posts.childCounts('revision', [7, 8])
      equal(fewer, [{ parent: 7, count: 2, latest: ids[2] }], 'after a removal')
    },
  },
]
